import { expect, test } from "vitest";
import { billingRate, expectProgramme, findProgramme, homeOf, programmeOf } from "./programmes.ts";
import { readProgrammes } from "./read.ts";

const programmes = readProgrammes();

test("a currency has one programme, or none", () => {
  expect(programmeOf(programmes, "USD")?.programmeId).toBe("usd-us");
  expect(programmeOf(programmes, "NGN")?.programmeId).toBe("ngn-ng");
  expect(programmeOf(programmes, "EUR")).toBeUndefined();
});

test.each([
  ["USD", "1"],
  ["EUR", "1.08"],
  ["ISK", undefined],
] as const)("the dollar programme bills %s at %s", (currency, rate) => {
  const [usd] = programmes;
  expect(usd && billingRate(usd, currency)).toBe(rate);
});

test("a programme of a card's name that has another currency by now is not the card's", () => {
  const issued = { programmeId: "usd-us", currency: "USD" } as const;
  expect(findProgramme(programmes, issued)?.programmeId).toBe("usd-us");
  const changed = programmes.map((programme) => ({ ...programme, currency: "EUR" as const }));
  expect(findProgramme(changed, issued)).toBeUndefined();
  expect(homeOf(changed, issued)).toBe("ZZ");
  expect(() => expectProgramme(changed, issued)).toThrow("not configured any more");
});
