import { expect, test } from "vitest";
import { lineReader } from "./line.ts";

const PAN = "4532015112830366";
const HEAD = "kind,pan,amount,currency,acquirer,retrievalReference";
const CELLS = `Settlement,${PAN},12.50,USD,412345,RRN1`;
const JSON_LINE = JSON.stringify({
  kind: "Settlement",
  pan: PAN,
  amount: "12.50",
  currency: "USD",
  acquirer: "412345",
  retrievalReference: "RRN1",
});

/** What comes of each line: read, passed over, or why not. */
function readAll(lines: string[]): string[] {
  const read = lineReader();
  return lines.map((text, index) => {
    const line = read(text, index + 1);
    if (line === undefined) return "-";
    return "problem" in line ? line.problem : `${line.kind} ${line.amountMinor}`;
  });
}

const READ = "Settlement 1250";

test.each<[string, string[], string[]]>([
  ["CSV", [HEAD, CELLS, "", CELLS], ["-", READ, "-", READ]],
  ["JSON", [JSON_LINE, "", JSON_LINE], [READ, "-", READ]],
  ["CSV with a mark of its byte order", [`\uFEFF${HEAD}`, CELLS], ["-", READ]],
  ["JSON with that mark, or blanks", [`\uFEFF${JSON_LINE}`, `  ${JSON_LINE} `], [READ, READ]],
])("%s is read", (_what, lines, expected) => {
  expect(readAll(lines)).toEqual(expected);
});

test.each([
  ["true", true],
  ["false", false],
  ["", false],
])("partial %j is %s", (cell, isPartial) => {
  const read = lineReader();
  read(`${HEAD},partial`, 1);
  expect(read(`${CELLS},${cell}`, 2)).toMatchObject({ isPartial });
});

test.each<[string, string]>([
  ["no columns", CELLS],
  ["a column twice", `${HEAD},amount`],
  ["a column that nobody knows", `${HEAD},comment`],
  ["a quote that does not end", `"${HEAD}`],
])("a file whose first line has %s posts nothing", (_what, head) => {
  const [first, second] = readAll([head, head.includes("amount") ? `${CELLS},` : CELLS]);
  expect(first).toMatch(/^must name columns/);
  expect(second).toMatch(/without its columns/);
});

test.each([
  ["9999999999.99", "USD", "Settlement 999999999999"],
  ["10000000000.00", "USD", "amount must have at most 12 digits, decimals included"],
  ["999999999999", "VND", "Settlement 999999999999"],
  ["1000000000000", "VND", "amount must be an amount such as 12.50"],
])("an amount may have as many digits as DE 4: %s %s", (amount, currency, expected) => {
  const line = JSON_LINE.replace("12.50", amount).replace("USD", currency);
  expect(readAll([line])).toEqual([expected]);
});

test.each(["\0", "\ud800", "\n"])("a merchant's name with %j is refused", (character) => {
  const named = JSON.stringify({ ...JSON.parse(JSON_LINE), merchantName: `Shop${character}` });
  expect(readAll([named])).toEqual(["merchantName must not hold control characters"]);
});

test.each<[string, string, string]>([
  ['"amount":"12.50",', "", "amount is required"],
  ['"amount":"12.50"', '"amount":12.5', "amount must be a string"],
  ['"Settlement"', '"Chargeback"', "kind must be one of Settlement, Refund"],
  ['"USD"', '"USD","partial":"yes"', "partial must be one of true, false"],
  [
    '"USD"',
    `"USD","merchantName":"${"x".repeat(101)}"`,
    "merchantName must be at most 100 characters",
  ],
])("with %s replaced by %s: %s", (there, instead, problem) => {
  expect(readAll([JSON_LINE.replace(there, instead)])).toEqual([problem]);
});

test.each<[string, string[]]>([
  ["a column", [`${HEAD},${PAN}`, `${CELLS},x`]],
  ["a name in JSON", [JSON_LINE.replace("{", `{"${PAN}":"1",`)]],
  ["a kind", [JSON_LINE.replace("Settlement", PAN)]],
  ["a cell too many", [HEAD, `${CELLS},${PAN}`]],
  ["no JSON", [`{"${PAN}`]],
])("a card number in the wrong place, as %s, is not repeated", (_what, lines) => {
  const told = readAll(lines);
  expect(told.at(-1)).not.toBe(READ);
  expect(told.join()).not.toContain(PAN);
});
