import type { z } from "zod";

const TYPES: Readonly<Record<string, string>> = {
  string: "must be a string",
  number: "must be a number",
  int: "must be a whole number",
  boolean: "must be true or false",
  array: "must be a list",
  object: "must be an object",
  record: "must be an object",
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: "must be a time such as 2026-01-31T12:00:00.000Z",
  date: "must be a date such as 2026-01-31",
  email: "must be an e-mail address",
  url: "must be a URL",
};

/**
 * What is wrong with a field, in our words, where its schema brings none of its own. Each sentence goes on
 * from the field's name.
 */
export function wordsFor(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : TYPES[issue.expected];
    case "invalid_value":
      return issue.input === undefined ? "is required" : `must be ${oneOf(issue.values)}`;
    case "invalid_format":
      return FORMATS[issue.format] ?? "has the wrong form";
    case "invalid_union":
      return noAlternative(issue);
    case "invalid_key":
      return `is a key that ${issue.issues[0]?.message ?? "has the wrong form"}`;
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return tooBig(issue);
    default:
      return undefined;
  }
}

/** All that is wrong with what a file says, each problem with the name of its field. */
export function problemsIn(error: z.ZodError): string[] {
  return error.issues.flatMap((issue) => {
    const field = issue.path.join(".");
    if (issue.code !== "unrecognized_keys") return `${field} ${issue.message}`.trim();
    return issue.keys.map((key) => `${[...issue.path, key].join(".")} is not a known field`);
  });
}

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? String(values[0]) : `one of ${values.join(", ")}`;

interface Alternatives {
  input: unknown;
  discriminator?: string | undefined;
  options?: readonly unknown[];
}

/** Where one field tells the alternatives apart, that field is what is missing or wrong. */
function noAlternative({ input, discriminator, options }: Alternatives): string {
  const given =
    discriminator === undefined ? input : (input as Record<string, unknown>)[discriminator];
  if (given === undefined) return "is required";
  return options === undefined ? "has the wrong form" : `must be ${oneOf(options)}`;
}

interface Bound {
  origin: string;
  inclusive?: boolean | undefined;
}

function tooSmall({ origin, minimum, inclusive }: Bound & { minimum: number | bigint }): string {
  if (inclusive === false) return `must be more than ${minimum}`;
  const isLength = origin === "string" || origin === "array";
  return isLength && minimum === 1 ? "must not be empty" : bounded(origin, `at least ${minimum}`);
}

function tooBig({ origin, maximum, inclusive }: Bound & { maximum: number | bigint }): string {
  return inclusive === false
    ? `must be less than ${maximum}`
    : bounded(origin, `at most ${maximum}`);
}

function bounded(origin: string, bound: string): string {
  if (origin === "array") return `must have ${bound} entries`;
  return origin === "string" ? `must be ${bound} characters` : `must be ${bound}`;
}
