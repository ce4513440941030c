import { z } from "zod";
import { ConfigError } from "../foundation/config/config.ts";
import { parseCountry } from "../foundation/countries.ts";
import { type Currency, isCurrency } from "../foundation/currencies.ts";
import { Failure } from "../foundation/failure.ts";
import { isRate } from "../foundation/fx.ts";
import { parseAmount } from "../foundation/money.ts";
import { parseStrictJson } from "../foundation/strict-json.ts";
import { wordsFor } from "../http/words.ts";
import { defaultProgrammes } from "./defaults.ts";
import { brands, type Programme, usualHolds } from "./programmes.ts";

const MAX_PROGRAMMES = 100;
const MAX_BPS = 10_000;

/**
 * The programmes of the file that `FLORIN_PROGRAMMES_FILE` names, which replace the default ones.
 * Everything that is wrong with it is told at once.
 */
export function readProgrammes(fileText?: string): Programme[] {
  const entries = fileText === undefined ? defaultProgrammes : parseEntries(fileText);
  const read = entries.map(readEntry);
  const problems = [...read.flatMap((entry) => entry.problems), ...clashes(entries)];
  if (problems.length > 0) throw wrongFile(problems);
  return read.flatMap((entry) => entry.programme ?? []);
}

function parseEntries(fileText: string): readonly unknown[] {
  const content = parseJson(fileText);
  if (!Array.isArray(content) || content.length < 1 || content.length > MAX_PROGRAMMES) {
    throw wrongFile([`The file must hold a list of 1 to ${MAX_PROGRAMMES} programmes`]);
  }
  return content;
}

function parseJson(fileText: string): unknown {
  try {
    return parseStrictJson(fileText);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw wrongFile([error.message.replace(/^The body/, "The file")]);
  }
}

interface ReadEntry {
  programme?: Programme;
  problems: string[];
}

function readEntry(entry: unknown, index: number): ReadEntry {
  const currency = fieldOf(entry, "currency");
  const isKnown = currency !== undefined && isCurrency(currency);
  const schema = entrySchema(isKnown ? currency : undefined);
  const { success, data, error } = schema.safeParse(entry, { error: wordsFor });
  return success
    ? { programme: programmeFrom(data), problems: [] }
    : { problems: error.issues.flatMap((issue) => problemsOf(issue, index)) };
}

function programmeFrom(entry: z.output<ReturnType<typeof entrySchema>>): Programme {
  const {
    topUpMaximum: topUpMaximumMinor,
    withdrawalMinimumLeft: withdrawalMinimumLeftMinor,
    liteMinimum: liteMinimumMinor,
    liteMaximum: liteMaximumMinor,
    negativeBalanceTolerance: negativeBalanceToleranceMinor,
    ...same
  } = entry;
  return {
    ...same,
    topUpMaximumMinor,
    withdrawalMinimumLeftMinor,
    liteMinimumMinor,
    liteMaximumMinor,
    negativeBalanceToleranceMinor,
  };
}

/** Amounts are written in major units, and which of them exist depends on the currency. */
function entrySchema(currency: Currency | undefined) {
  const amount = amountIn(currency, { allowZero: false });
  const amountOrZero = amountIn(currency, { allowZero: true });
  return z
    .strictObject({
      programmeId: z
        .string()
        .max(40)
        .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "must be lower-case words and digits, with hyphens"),
      currency: z.custom<Currency>(isCurrencyCode, "must be an ISO 4217 currency code"),
      country: z.string().transform(toCountry),
      brand: z.enum(brands),
      bin: z.string().regex(/^\d{6,8}$/, "must be 6 to 8 digits"),
      panLength: z.int().min(16).max(19).default(16),
      expiryYears: z.int().min(1).max(20).default(3),
      topUpMaximum: amount.prefault(10_000),
      withdrawalMinimumLeft: amountOrZero.prefault(1),
      liteMinimum: amount.prefault(1),
      liteMaximum: amount.prefault(10_000),
      liteMaximumSwipes: z.int().min(1).max(1_000_000).default(1000),
      negativeBalanceTolerance: amountOrZero.prefault(0),
      overCaptureToleranceBps: z.int().min(0).max(MAX_BPS).default(0),
      crossBorderRateBps: z.int().min(0).max(MAX_BPS).default(200),
      holdDays: z.int().min(1).max(365).default(usualHolds.holdDays),
      preAuthorizationHoldDays: z
        .int()
        .min(1)
        .max(365)
        .default(usualHolds.preAuthorizationHoldDays),
      terminateNegativeAfterDays: z.int().min(1).max(3650).nullable().default(null),
      autoRegularize: z.boolean().default(false),
      fx: z.partialRecord(otherThan(currency), rate).default({}),
    })
    .refine(({ liteMinimum, liteMaximum }) => !(liteMinimum > liteMaximum), {
      path: ["liteMaximum"],
      error: "must not be below liteMinimum",
      // Looked at even if other fields are wrong; then a bound may be missing, and nothing is above it.
      when: ({ value }) => typeof value === "object" && value !== null,
    });
}

const rate = z.string().refine(isRate, 'must be a decimal number above 0 in quotes, as "1.08"');

function otherThan(currency: Currency | undefined) {
  return z.custom<Currency>((key) => isCurrencyCode(key) && key !== currency);
}

function isCurrencyCode(value: unknown): boolean {
  return typeof value === "string" && isCurrency(value);
}

function toCountry(text: string, context: z.core.$RefinementCtx) {
  const country = parseCountry(text);
  if (country !== undefined) return country;
  context.addIssue("must be a country: a code of ISO 3166 or an English name");
  return z.NEVER;
}

function amountIn(currency: Currency | undefined, options: { allowZero: boolean }) {
  return z.number().transform((major, context) => {
    // Without a currency nothing can be said about the amount, and that problem is told already.
    if (currency === undefined) return 0n;
    try {
      return parseAmount(major, currency, options);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      context.addIssue(error.message);
      return z.NEVER;
    }
  });
}

/** What no two programmes may share, since a currency and a card number each lead to one. */
const exclusive: readonly [field: string, clash: (a: string, b: string) => boolean][] = [
  ["programmeId", (a, b) => a === b],
  ["currency", (a, b) => a === b],
  ["bin", (a, b) => a.startsWith(b) || b.startsWith(a)],
];

function clashes(entries: readonly unknown[]): string[] {
  const problems: string[] = [];
  for (const [index, entry] of entries.entries()) {
    for (const [earlierIndex, earlier] of entries.slice(0, index).entries()) {
      for (const [field, clash] of exclusive) {
        const [ours, theirs] = [fieldOf(entry, field), fieldOf(earlier, field)];
        if (ours === undefined || theirs === undefined || !clash(ours, theirs)) continue;
        problems.push(`[${index}].${field}: clashes with [${earlierIndex}].${field}`);
      }
    }
  }
  return problems;
}

function fieldOf(entry: unknown, name: string): string | undefined {
  const value = (entry as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === "string" ? value : undefined;
}

function problemsOf(issue: z.core.$ZodIssue, index: number): string[] {
  const field = [`[${index}]`, ...issue.path].join(".");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => `${field}.${key}: is not a known field`);
  }
  const isKey = issue.code === "invalid_key";
  return [`${field}: ${isKey ? "must be the code of another currency" : issue.message}`];
}

function wrongFile(problems: readonly string[]): ConfigError {
  return new ConfigError(problems.map((problem) => `FLORIN_PROGRAMMES_FILE: ${problem}`));
}
