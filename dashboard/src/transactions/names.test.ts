import { expect, test } from "vitest";
import { formatMoney } from "../ui/money.tsx";
import { outcomeOf } from "./names.ts";

test.each([
  [10, 0, 0, undefined, ""], // held
  [10, 10, 0, undefined, ""],
  [10, 75.25, 0, 75.25, "settled"],
  [60, 10, 0, 10, "settled"],
  [40, 40, 15, 15, "refunded"],
  [40, 40, 40, undefined, ""],
  [10, 75.25, 75.25, 75.25, "refunded"],
])("of %d asked for, %d settled and %d refunded: %s %s", (asked, settled, refunded, told, word) => {
  const amounts = { billingAmount: asked, settledAmount: settled, refundedAmount: refunded };
  expect(outcomeOf({ ...amounts, billingCurrency: "USD" })).toBe(
    told === undefined ? undefined : `${formatMoney(told, "USD")} ${word}`,
  );
});
