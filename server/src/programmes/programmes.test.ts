import { expect, test } from "vitest";
import { billingRate, programmeOf } from "./programmes.ts";
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
