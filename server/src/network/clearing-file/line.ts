import { z } from "zod";
import { isCountryCode } from "../../foundation/countries.ts";
import { type Currency, exponentOf, isCurrency } from "../../foundation/currencies.ts";
import { parseStrictJson } from "../../foundation/strict-json.ts";
import { wordsFor } from "../../http/words.ts";
import { cellsOf } from "./csv.ts";

const RETRIEVAL_LENGTH = 12;
/** As DE 4 has them. */
const MOST_MINOR = 999_999_999_999n;

const words = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must not hold control characters")
    .optional();

/** What a line of a clearing file says. All cells are text, in CSV as in JSON. */
const Line = z.strictObject({
  kind: z.enum(["Settlement", "Refund"]),
  pan: z.string().regex(/^\d{13,19}$/, "must be 13 to 19 digits"),
  amount: z.string().regex(/^\d{1,12}(\.\d{1,4})?$/, "must be an amount such as 12.50"),
  currency: z
    .string()
    .refine((text): text is Currency => isCurrency(text), "must be an ISO 4217 currency"),
  acquirer: z.string().regex(/^\d{1,11}$/, "must be 1 to 11 digits"),
  retrievalReference: z.string().regex(/^[0-9A-Za-z]{1,12}$/, "must be 1 to 12 letters or digits"),
  trace: z
    .string()
    .regex(/^\d{6}$/, "must be 6 digits")
    .optional(),
  transmitted: z
    .string()
    .regex(/^\d{10}$/, "must be 10 digits, MMDDhhmmss")
    .optional(),
  partial: z.enum(["true", "false"]).optional(),
  mid: words(15),
  mcc: z
    .string()
    .regex(/^\d{4}$/, "must be 4 digits")
    .optional(),
  merchantName: words(100),
  merchantCity: words(100),
  merchantCountry: z.string().refine(isCountryCode, "must be an ISO 3166 alpha-2 code").optional(),
});

export const columns = Object.keys(Line.shape);

export interface ClearingLine extends Omit<z.output<typeof Line>, "amount" | "partial"> {
  number: number;
  amountMinor: bigint;
  /** DE 37, with the blanks after it. */
  retrieval: string;
  isPartial: boolean;
}

/** A line that cannot be read: it is told, and none of the others suffers. */
export interface BadLine {
  number: number;
  problem: string;
}

export type ReadLine = ClearingLine | BadLine;

/** Reads the lines of one file, which begins with its columns unless it is JSON. */
export function lineReader(): (sent: string, number: number) => ReadLine | undefined {
  let head: readonly string[] | "Bad" | undefined;
  return (sent, number) => {
    const text = sent.trim();
    if (text === "") return undefined;
    if (text.startsWith("{")) return readJson(text, number);
    if (head === "Bad") return { number, problem: "cannot be read without its columns" };
    if (head !== undefined) return readCells(head, text, number);
    head = headOf(text);
    if (head !== "Bad") return undefined;
    return { number, problem: `must name columns, each once, of these: ${columns.join(", ")}` };
  };
}

/** Without knowing each column for certain, nothing is posted. */
function headOf(text: string): readonly string[] | "Bad" {
  const names = cellsOf(text)?.map((cell) => cell.trim()) ?? [];
  const isGood = new Set(names).size === names.length && names.every((n) => columns.includes(n));
  return isGood && names.length > 0 ? names : "Bad";
}

function readJson(text: string, number: number): ReadLine {
  try {
    return checked(parseStrictJson(text), number);
  } catch {
    return { number, problem: "is not JSON" };
  }
}

function readCells(head: readonly string[], text: string, number: number): ReadLine {
  const cells = cellsOf(text);
  if (cells?.length !== head.length) {
    return { number, problem: `must have ${head.length} cells` };
  }
  const filled = head.map((name, index) => [name, cells[index]?.trim() ?? ""] as const);
  return checked(Object.fromEntries(filled.filter(([, cell]) => cell !== "")), number);
}

/** What is sent is not repeated, not even as the name of a column: it may be a card number. */
function problemOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined || issue.code === "unrecognized_keys") return "has an unknown column";
  return `${issue.path.join(".")} ${issue.message}`;
}

function checked(content: unknown, number: number): ReadLine {
  const read = Line.safeParse(content, { error: wordsFor });
  if (!read.success) return { number, problem: problemOf(read.error.issues[0]) };
  const { amount, partial, ...line } = read.data;
  const [whole = "", fraction = ""] = amount.split(".");
  const decimals = exponentOf(line.currency);
  const amountMinor = BigInt(whole + fraction.padEnd(decimals, "0"));
  if (fraction.length > decimals || amountMinor === 0n) {
    return { number, problem: `amount must be more than 0, with at most ${decimals} decimals` };
  }
  if (amountMinor > MOST_MINOR) {
    return { number, problem: "amount must have at most 12 digits, decimals included" };
  }
  const retrieval = line.retrievalReference.padEnd(RETRIEVAL_LENGTH);
  return { ...line, number, amountMinor, retrieval, isPartial: partial === "true" };
}
