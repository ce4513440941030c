import fc from "fast-check";
import { expect, test } from "vitest";
import type { Fields, Message } from "../fields.ts";
import { FormatError } from "../format-error.ts";
import {
  billingAmountOf,
  replacementAmountsOf,
  settlementMinorOf,
  transactionAmountOf,
  writeBillingAmount,
  writeReplacementAmounts,
  writeTransactionAmount,
} from "./amounts.ts";

const LARGEST = 999_999_999_999n;
const amount = fc.bigInt({ min: 0n, max: LARGEST });
const message = (fields: Fields): Message => ({ mti: "0100", fields });

test("amounts are read as they were written", () => {
  fc.assert(
    fc.property(amount, fc.constantFrom("USD", "JPY", "KWD", "CLF"), (amountMinor, currency) => {
      const written = message({
        ...writeTransactionAmount(amountMinor, currency),
        ...writeBillingAmount(amountMinor, currency),
      });
      expect(transactionAmountOf(written)).toEqual({ amountMinor, currency });
      expect(billingAmountOf(written)).toEqual({ amountMinor, currency });
    }),
  );
});

test("replacement amounts are read as they were written", () => {
  fc.assert(
    fc.property(amount, amount, (transactionMinor, settlementMinor) => {
      const amounts = { transactionMinor, settlementMinor };
      expect(replacementAmountsOf(message({ 95: writeReplacementAmounts(amounts) }))).toEqual(
        amounts,
      );
    }),
  );
});

test("the settlement amount has no currency in the message", () => {
  expect(settlementMinorOf(message({ 5: "000000001300" }))).toBe(1300n);
});

test("a message without an amount has none, whatever currency it names", () => {
  const without = message({ 49: "840", 51: "840" });
  expect(transactionAmountOf(without)).toBeUndefined();
  expect(billingAmountOf(without)).toBeUndefined();
  expect(settlementMinorOf(without)).toBeUndefined();
  expect(replacementAmountsOf(without)).toBeUndefined();
});

test("a currency that is not in use is told from one that is missing", () => {
  expect(transactionAmountOf(message({ 4: "000000000001", 49: "191" }))).toEqual({
    amountMinor: 1n,
    currency: undefined,
  });
  expect(() => transactionAmountOf(message({ 4: "000000000001", 51: "840" }))).toThrow(
    "DE 49 (Currency code, transaction) is missing, but DE 4 needs it",
  );
  expect(() => billingAmountOf(message({ 6: "000000000001", 49: "840" }))).toThrow(
    "DE 51 (Currency code, cardholder billing) is missing, but DE 6 needs it",
  );
});

test.each([LARGEST + 1n, -1n])("%d minor units do not fit", (amountMinor) => {
  expect(() => writeTransactionAmount(amountMinor, "USD")).toThrow(FormatError);
  expect(() => writeBillingAmount(amountMinor, "USD")).toThrow(FormatError);
});

const amounts = "000000000800000000000880";

test.each([
  ["zeros for fees", `${amounts}000000000000000000`, true],
  ["fees of nothing", `${amounts}C00000000D00000000`, true],
  ["blanks for fees", `${amounts}                  `, true],
  ["a fee", `${amounts}C00000001D00000000`, false],
  ["a third amount in place of fees", `${amounts}000000000950000000`, false],
  ["letters in an amount", `00000000080O000000000880000000000000000000`, false],
  ["blanks for an amount", `000000000800            000000000000000000`, false],
])("replacement amounts with %s", (_, text, isTaken) => {
  const read = () => replacementAmountsOf(message({ 95: text }));
  if (isTaken) expect(read()).toEqual({ transactionMinor: 800n, settlementMinor: 880n });
  else expect(read).toThrow(FormatError);
});

test("an error in an element tells which message it is about", () => {
  const bad: Message = { mti: "0420", fields: { 11: "000003", 95: "0".repeat(41).concat("1") } };
  expect(() => replacementAmountsOf(bad)).toThrow(
    expect.objectContaining({ place: 95, mti: "0420", traceNumber: "000003" }),
  );
});
