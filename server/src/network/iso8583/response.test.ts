import { expect, test } from "vitest";
import { type CodeName, codes } from "../../foundation/codes.ts";
import { fieldTable } from "./fields.ts";
import { networkResponseByName, networkResponseOf, networkResponses } from "./response.ts";

test.each([
  ["000", "00"],
  ["116", "51"],
  ["117", "62"],
  ["141", "62"],
  ["142", "54"],
  ["124", "54"],
  ["143", "14"],
  ["148", "14"],
  ["176", "05"],
  ["140", "05"],
  ["125", "03"],
  ["134", "03"],
  ["186", "03"],
  ["127", "57"],
  ["119", "57"],
  ["121", "57"],
  ["129", "61"],
  ["130", "65"],
  ["161", "51"],
  ["133", "12"],
  ["138", "94"],
  ["139", "94"],
  ["136", "30"],
  ["165", "64"],
  ["235", "64"],
  ["175", "21"],
  ["188", "N7"],
  ["172", "91"],
  ["911", "96"],
])("%s is answered as %s", (code, response) => {
  expect(networkResponseOf(code)).toBe(response);
});

test("every code has exactly one value, under all of its names, which fits into DE 39", () => {
  const valuesByCode = new Map<string, Set<string>>();
  for (const [name, { code }] of Object.entries(codes)) {
    const values = valuesByCode.get(code) ?? new Set();
    valuesByCode.set(code, values.add(networkResponseByName[name as CodeName]));
  }
  for (const [code, values] of valuesByCode) {
    expect([code, ...values]).toEqual([code, expect.stringMatching(/^[0-9A-Z]{2}$/)]);
    expect([...values][0]).toHaveLength(fieldTable[39].maxLength);
    expect(networkResponseOf(code)).toBe([...values][0]);
  }
  expect(Object.keys(networkResponseByName).sort()).toEqual(Object.keys(codes).sort());
});

test("only success is heard as an approval", () => {
  // What networks take for one: approved, with identification, partially, for a VIP, no reason to decline.
  const approvals = new Set(["00", "08", "10", "11", "16", "32", "85"]);
  const approving = Object.values(codes).filter(({ code }) =>
    approvals.has(networkResponseOf(code)),
  );
  expect(approving).toEqual([codes.SUCCESS]);
});

test("every value in the list is answered at some time", () => {
  expect(new Set(Object.values(networkResponseByName))).toEqual(
    new Set(Object.keys(networkResponses)),
  );
});

test("an unknown code is a bug, not a guess", () => {
  expect(() => networkResponseOf("999")).toThrow("Unknown response code");
});
