import fc from "fast-check";
import { expect, test } from "vitest";
import type { Message } from "../fields.ts";
import { FormatError } from "../format-error.ts";
import {
  additionalAmountsOf,
  writeAdditionalAmounts,
  writeAvailableBalance,
} from "./additional-amounts.ts";

const message = (text: string): Message => ({ mti: "0110", fields: { 54: text } });

test.each([
  [98_625n, "0002840C000000098625"],
  [0n, "0002840C000000000000"],
  [-500n, "0002840D000000000500"],
] as const)("%d minor units available are written %s", (amountMinor, text) => {
  expect(writeAvailableBalance(amountMinor, "USD")).toBe(text);
});

test("amounts are read as they were written", () => {
  const amount = fc.record({
    accountType: fc.constantFrom("00", "10", "20", "30"),
    amountType: fc.constantFrom("01", "02", "40"),
    currency: fc.constantFrom("USD" as const, "JPY" as const, "KWD" as const),
    amountMinor: fc.bigInt({ min: -999_999_999_999n, max: 999_999_999_999n }),
  });
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 6 }), (amounts) => {
      expect(additionalAmountsOf(message(writeAdditionalAmounts(amounts)))).toEqual(amounts);
    }),
  );
});

test.each([
  ["19 characters", "0002840C00000009862"],
  ["21 characters", "0002840C0000000986250"],
  ["another sign", "0002840X000000098625"],
  ["a small letter", "0002840c000000098625"],
  ["a letter among the digits", "0002840C00000009862O"],
  ["a blank at the end", "0002840C00000009862 "],
])("refuses %s", (_, text) => {
  expect(() => additionalAmountsOf(message(text))).toThrow(
    "DE 54 (Additional amounts) must consist of sets of 20 characters",
  );
});

test("a currency that is not in use has no name", () => {
  expect(additionalAmountsOf(message("0002191C000000000001"))).toMatchObject([
    { currency: undefined },
  ]);
});

test("no more than fits is written", () => {
  const amount = { accountType: "00", amountType: "02", currency: "USD", amountMinor: 1n } as const;
  expect(() => writeAdditionalAmounts([])).toThrow(FormatError);
  expect(() => writeAdditionalAmounts(Array.from({ length: 7 }, () => amount))).toThrow(
    FormatError,
  );
  expect(() => writeAvailableBalance(10n ** 12n, "USD")).toThrow(FormatError);
});
