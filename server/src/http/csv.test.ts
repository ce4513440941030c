import fc from "fast-check";
import { expect, test } from "vitest";
import { csvLine, wantsCsv } from "./csv.ts";

test.each<[string, (string | null)[], string]>([
  ["plain cells", ["a", "b c", "1.50"], "a,b c,1.50"],
  ["nothing", [null, "", "x"], ",,x"],
  ["a comma", ["a,b"], '"a,b"'],
  ["a quote", ['say "hi"'], '"say ""hi"""'],
  ["a line break", ["a\nb", "c\rd"], '"a\nb","c\rd"'],
  ["numbers, negative ones too", ["-12.50", "0", "-3"], "-12.50,0,-3"],
  ["a formula", ["=1+1", "+1", "-1+2", "@x", "\tx"], "'=1+1,'+1,'-1+2,'@x,'\tx"],
  ["a formula that has to be quoted as well", ['=HYPERLINK("x")'], '"\'=HYPERLINK(""x"")"'],
  ["a sign further on", ["a=b", "a-b"], "a=b,a-b"],
])("%s", (_what, cells, expected) => {
  expect(csvLine(cells)).toBe(`${expected}\r\n`);
});

test("whatever is written is read back the same, but for the apostrophe", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "binary", maxLength: 12 }), { minLength: 1, maxLength: 6 }),
      (cells) => {
        const read = readLine(csvLine(cells));
        expect(read.map((cell, n) => (cell === `'${cells[n]}` ? cells[n] : cell))).toEqual(cells);
        for (const cell of read) expect(cell).not.toMatch(/^[=+@\t\r]|^-(?!\d+(\.\d+)?$)/);
      },
    ),
  );
});

/** A reader as RFC 4180 has it. */
function readLine(line: string): string[] {
  const cells = [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?:,|\r\n$)/g)];
  return cells.map(([, inQuotes, plain]) => inQuotes?.replaceAll('""', '"') ?? plain ?? "");
}

test.each<[string | undefined, boolean]>([
  [undefined, false],
  ["", false],
  ["*/*", false],
  ["application/json", false],
  ["text/csv", true],
  ["Text/CSV; charset=utf-8", true],
  ["text/csv, */*;q=0.1", true],
  ["application/json;q=0.5, text/csv", true],
  ["application/json, text/csv", true],
  ["application/json;q=0.2, text/csv;q=0.5", true],
  ["application/json, text/csv;q=0.5", false],
  ["text/csv;q=0", false],
  ["text/csv;q=x", false],
  ["text/csvx", false],
])("Accept: %s asks for CSV: %s", (accept, expected) => {
  expect(wantsCsv(accept)).toBe(expected);
});
