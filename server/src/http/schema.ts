import { z } from "zod";
import type { CodeName } from "../foundation/codes.ts";
import { isCurrency } from "../foundation/currencies.ts";
import { NO_TIMESTAMP, parseTimestamp } from "../foundation/dates.ts";
import { Failure, type FieldError } from "../foundation/failure.ts";
import { type IdPrefix, idPattern } from "../foundation/ids.ts";
import { MAX_MAJOR_UNITS } from "../foundation/money.ts";
import { shownKey } from "../foundation/strict-json.ts";

/** Fields whose mistakes have a code of their own; all others are 131. */
const codesOfFields = z.registry<{ code: CodeName }>();

const inMajorUnits = (number: z.ZodNumber) =>
  number
    .meta({
      description: "Major units, with no more decimals than the currency has",
      examples: [25.5],
    })
    .register(codesOfFields, { code: "INVALID_REQUEST_AMOUNT" });

/** An amount in major units, as answers tell it. */
export const amount = inMajorUnits(z.number());

const asked = z.number().max(MAX_MAJOR_UNITS, `must not be above ${MAX_MAJOR_UNITS}`);

/**
 * An amount that a request asks for. Its decimals are checked against its currency when it is read as
 * money; what no currency allows is refused before anything is looked up.
 */
export const amountAsked = inMajorUnits(asked.gt(0, "must be greater than 0"));

export const amountAskedOrZero = inMajorUnits(asked.min(0, "must not be negative"));

/** The same where its bounds are judged together with other fields. */
export const amountToJudgeOrZero = inMajorUnits(z.number()).meta({
  minimum: 0,
  maximum: MAX_MAJOR_UNITS,
});

export const currency = z
  .string()
  .refine(isCurrency, "must be an ISO 4217 currency code")
  .meta({ description: "ISO 4217 currency code", examples: ["USD"], pattern: "^[A-Z]{3}$" });

export const id = (prefix: IdPrefix) =>
  z
    .string()
    .regex(idPattern(prefix))
    .meta({ pattern: `^${prefix}_` });

/** A card id in a body; one in a path is judged where the card is looked up. */
export const cardId = z
  .string()
  .regex(idPattern("card"), "must be a card id")
  .meta({ pattern: "^card_" })
  .register(codesOfFields, { code: "INVALID_CARD_ID" });

/** The same where its form is judged together with other fields. */
export const cardIdToJudge = z
  .string()
  .meta({ pattern: "^card_" })
  .register(codesOfFields, { code: "INVALID_CARD_ID" });

export const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ examples: ["2026-01-31T12:00:00.000Z"] });

/** An id in a path: one that is malformed names nothing, and is answered so where it is looked up. */
export const pathId = (prefix: IdPrefix) => z.string().meta({ pattern: `^${prefix}_` });

/** A bound of a time filter, read by `readRange`. */
export const filterTime = z
  .string()
  .max(40, { abort: true })
  .refine((text) => parseTimestamp(text) !== undefined, NO_TIMESTAMP)
  .meta({ description: "A date or a time in ISO 8601", examples: ["2026-01-31"] })
  .register(codesOfFields, { code: "INVALID_DATE_REQUEST" });

/** Control characters, halves of characters, and marks that turn the direction of other text around. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** A character that leaves something on paper: blanks, the blank of Braille and what nobody sees by intent do not. */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** One line of text in any script, as people write it. */
export const line = (maxCharacters: number) =>
  z
    .string()
    .superRefine((text, context) => {
      const message = problemOf(text, maxCharacters);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    })
    .meta({ minLength: 1, maxLength: maxCharacters });

function problemOf(text: string, maxCharacters: number): string | undefined {
  if (text.trim() === "") return "must not be empty";
  // A character is one or two units long.
  if (text.length > 2 * maxCharacters || [...text].length > maxCharacters) {
    return `must be at most ${maxCharacters} characters`;
  }
  if (UNPRINTABLE.test(text)) return "must not hold control characters";
  return VISIBLE.test(text) ? undefined : "must not be empty";
}

/** A longer list would help nobody, and a body can have many thousands of unknown fields. */
const MAX_FIELD_ERRORS = 100;

/** Turns what a schema found wrong into the one failure that answers it. */
export function invalid(schema: z.ZodType, input: unknown, error: z.ZodError): Failure {
  const named = error.issues.slice(0, MAX_FIELD_ERRORS);
  const errors = named.flatMap(fieldErrors).slice(0, MAX_FIELD_ERRORS);
  const found = new Set(error.issues.map(({ path }) => codeOf(schema, input, path)));
  const [only] = found;
  return new Failure(found.size === 1 && only !== undefined ? only : "INVALID_REQUEST", { errors });
}

function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, MAX_FIELD_ERRORS).map((key) => ({
      field: nameOf([...issue.path, key]),
      message: "is not a known field",
    }));
  }
  return [{ field: nameOf(issue.path), message: issue.message }];
}

const nameOf = (path: readonly PropertyKey[]): string =>
  path.map((step) => shownKey(String(step))).join(".") || "request";

/** A field that is missing is a malformed request; one that is there and wrong may have its own code. */
function codeOf(schema: z.ZodType, input: unknown, path: readonly PropertyKey[]): CodeName {
  const field = schemaAt(schema, path);
  const code = field && codesOfFields.get(field)?.code;
  return code === undefined || valueAt(input, path) === undefined ? "INVALID_REQUEST" : code;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, step) => (at as Record<PropertyKey, unknown> | undefined)?.[step],
    input,
  );
}

function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  let at: unknown = schema;
  for (const step of path) {
    const object = unwrapped(at);
    at = object instanceof z.ZodObject ? object.shape[String(step)] : undefined;
  }
  const field = unwrapped(at);
  return field instanceof z.ZodType ? field : undefined;
}

function unwrapped(schema: unknown): unknown {
  let at = schema;
  while (at instanceof z.ZodOptional || at instanceof z.ZodDefault || at instanceof z.ZodNullable) {
    at = at.unwrap();
  }
  return at;
}
