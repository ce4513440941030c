import { expect, test } from "vitest";
import { verbsFor } from "./network-verbs.ts";

test.each([
  [{ heldAmount: 10, settledAmount: 0, refundedAmount: 0 }, ["settle", "reverse"]],
  [{ heldAmount: 4, settledAmount: 6, refundedAmount: 0 }, ["settle", "reverse", "refund"]],
  [{ heldAmount: 0, settledAmount: 10, refundedAmount: 0 }, ["refund"]],
  [{ heldAmount: 0, settledAmount: 10, refundedAmount: 10 }, []],
  [{ heldAmount: 0, settledAmount: 0, refundedAmount: 0 }, []],
])("%o can be followed by %o", (amounts, verbs) => {
  expect(verbsFor(amounts)).toEqual(verbs);
});
