import { expect, test } from "vitest";
import { outcomeOf } from "./names.ts";

test.each([
  [10, 0, 0, undefined], // held
  [10, 10, 0, undefined],
  [10, 75.25, 0, "$75.25 settled"],
  [60, 10, 0, "$10.00 settled"],
  [40, 40, 15, "$15.00 refunded"],
  [40, 40, 40, undefined],
  [10, 75.25, 75.25, "$75.25 refunded"],
])("of %d asked for, %d settled and %d refunded: %s", (asked, settled, refunded, words) => {
  const amounts = { billingAmount: asked, settledAmount: settled, refundedAmount: refunded };
  expect(outcomeOf({ ...amounts, billingCurrency: "USD" })).toBe(words);
});
