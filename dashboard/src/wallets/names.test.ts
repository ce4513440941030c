import { expect, test } from "vitest";
import { entryName } from "./names.ts";

test.each([
  ["Deposit", "Deposit"],
  ["Adjustment", "Adjustment"],
  ["InitialFunding", "Initial funding"],
  ["TopUp", "Top-up"],
  ["Withdrawal", "Withdrawal"],
  ["Transfer", "Transfer"],
  // Of a purchase, mostly; a transaction that is a settlement by itself is a force post.
  ["Settlement", "Settlement"],
  ["Refund", "Refund"],
  ["CrossBorderCharge", "Cross-border charge"],
  ["Regularization", "Regularization"],
  ["TerminationPayout", "Payout at termination"],
  // Of a newer service than this page.
  ["SomethingNew", "Something new"],
])("an entry of kind %s is called %s", (kind, name) => {
  expect(entryName(kind)).toBe(name);
});
