import fc from "fast-check";
import { expect, test } from "vitest";
import type { TransactionEvent } from "../transactions/transaction.ts";
import { type Message, type Payment, take } from "./life.ts";

const NOW = new Date("2026-03-01T00:00:00.000Z");
const LATER = new Date("2026-03-08T00:00:00.000Z");

const event = (requestType: string): TransactionEvent => ({
  requestType,
  amount: 0,
  responseCode: "000",
  at: NOW.toISOString(),
});

/** A purchase of 100, as it is at each stage of its life. */
const payment = (change: Partial<Payment> = {}, ...story: string[]): Payment => ({
  type: "Authorization",
  stage: "Authorization",
  billingAmountMinor: 100n,
  heldMinor: 0n,
  settledMinor: 0n,
  reversedMinor: 0n,
  refundedMinor: 0n,
  overCaptured: false,
  expiresAt: NOW,
  events: ["Authorization", ...story].map(event),
  ...change,
});

const held = payment({ heldMinor: 100n });
/** As an advice that found only so much. */
const heldInPart = payment({ heldMinor: 40n });
const reversedInPart = payment({ heldMinor: 70n, reversedMinor: 30n }, "PartialReversal");
const settledInPart = payment(
  { stage: "Settlement", heldMinor: 60n, settledMinor: 40n },
  "Settlement",
);
const settled = payment({ stage: "Settlement", settledMinor: 100n }, "Settlement");
const restReversed = payment(
  { stage: "Settlement", settledMinor: 40n, reversedMinor: 60n },
  "Settlement",
  "Reversal",
);
const settledRestExpired = payment(
  { stage: "Settlement", settledMinor: 40n },
  "Settlement",
  "Expiry",
);
const refundedRestExpired = payment(
  { stage: "Refund", settledMinor: 40n, refundedMinor: 10n },
  "Settlement",
  "Expiry",
  "Refund",
);
const reversedThenSettled = payment(
  { stage: "Settlement", settledMinor: 70n, reversedMinor: 30n },
  "PartialReversal",
  "Settlement",
);
const reversed = payment({ stage: "Reversal", reversedMinor: 100n }, "Reversal");
const refunded = payment(
  { stage: "Refund", settledMinor: 100n, refundedMinor: 100n },
  "Settlement",
  "Refund",
);
const refundedInPart = payment(
  { stage: "Refund", settledMinor: 100n, refundedMinor: 30n },
  "Settlement",
  "Refund",
);
const expired = payment({ stage: "Expired" }, "Expiry");
const restExpired = payment({ stage: "Expired", reversedMinor: 30n }, "PartialReversal", "Expiry");
const heldNothing = payment();
const declined = payment({ stage: "Declined", expiresAt: null });
const verified = payment({ billingAmountMinor: 0n });
const forcePost = payment({
  type: "Settlement",
  stage: "Settlement",
  settledMinor: 100n,
  expiresAt: null,
});
const unlinked = payment({ type: "Refund", stage: "Refund", refundedMinor: 100n, expiresAt: null });
const topUp = payment({ type: "TopUp", stage: "Completed", expiresAt: null });

const settle = (amountMinor?: bigint, isPartial = false, toleranceBps = 0): Message => ({
  kind: "Settlement",
  amountMinor,
  isPartial,
  toleranceBps,
});
const reverse = (amountMinor?: bigint): Message => ({ kind: "Reversal", amountMinor });
const reverseOfPayment = (amountMinor: bigint): Message => ({
  kind: "Reversal",
  amountMinor,
  isOfPayment: true,
});
const refund = (amountMinor?: bigint): Message => ({ kind: "Refund", amountMinor });
const EXPIRY: Message = { kind: "Expiry" };

/** What became of it, short: stage, held, settled, reversed, refunded, and a mark if it is over-captured. */
function told(before: Payment, message: Message, now = NOW): string {
  const taken = take(before, message, now);
  if ("refused" in taken) return taken.refused;
  const { stage, heldMinor, settledMinor, reversedMinor, refundedMinor, overCaptured } =
    taken.after;
  const amounts = [heldMinor, settledMinor, reversedMinor, refundedMinor].join("/");
  return `${taken.requestType} ${taken.amountMinor}: ${stage} ${amounts}${overCaptured ? " over" : ""}`;
}

const NOTHING = "INVALID_TRANSACTION";
/** Or none of it is left. */
const NONE_SETTLED = "TRANSACTION_AMOUNT_DIFFERS";

// Every stage and every message without an amount: all that is left.
test.each<[string, Payment, settled: string, reversed: string, refunded: string, expired: string]>([
  [
    "held",
    held,
    "Settlement 100: Settlement 0/100/0/0",
    "Reversal 100: Reversal 0/0/100/0",
    NONE_SETTLED,
    "Expiry 100: Expired 0/0/0/0",
  ],
  [
    "authorized by the network, and held in part",
    heldInPart,
    "Settlement 100: Settlement 0/100/0/0",
    "Reversal 100: Reversal 0/0/100/0",
    NONE_SETTLED,
    "Expiry 40: Expired 0/0/0/0",
  ],
  [
    "authorized by the network, with nothing left to hold",
    heldNothing,
    "Settlement 100: Settlement 0/100/0/0",
    NOTHING,
    NONE_SETTLED,
    "Expiry 0: Expired 0/0/0/0",
  ],
  [
    "reversed in part",
    reversedInPart,
    "Settlement 70: Settlement 0/70/30/0",
    "Reversal 70: Reversal 0/0/100/0",
    NONE_SETTLED,
    "Expiry 70: Expired 0/0/30/0",
  ],
  [
    "settled in part",
    settledInPart,
    "Settlement 60: Settlement 0/100/0/0",
    "Reversal 60: Settlement 0/40/60/0",
    "Refund 40: Refund 60/40/0/40",
    "Expiry 60: Settlement 0/40/0/0",
  ],
  ["settled", settled, NOTHING, NOTHING, "Refund 100: Refund 0/100/0/100", NOTHING],
  [
    "settled in part, the rest reversed",
    restReversed,
    NOTHING,
    "ALREADY_REVERSED",
    "Refund 40: Refund 0/40/60/40",
    NOTHING,
  ],
  [
    "settled in part, the rest expired",
    settledRestExpired,
    "Settlement 60: Settlement 0/100/0/0",
    NOTHING,
    "Refund 40: Refund 0/40/0/40",
    NOTHING,
  ],
  [
    "settled in part, the rest expired, and given back in part since",
    refundedRestExpired,
    "Settlement 60: Settlement 0/100/0/10",
    NOTHING,
    "Refund 30: Refund 0/40/0/40",
    NOTHING,
  ],
  // The last of the hold was settled, so there is nothing held; it was not reversed.
  [
    "reversed in part, the rest settled",
    reversedThenSettled,
    NOTHING,
    NOTHING,
    "Refund 70: Refund 0/70/30/70",
    NOTHING,
  ],
  [
    "reversed",
    reversed,
    "Settlement 100: Settlement 0/100/100/0 over",
    "ALREADY_REVERSED",
    NONE_SETTLED,
    NOTHING,
  ],
  ["refunded", refunded, NOTHING, NOTHING, NONE_SETTLED, NOTHING],
  ["refunded in part", refundedInPart, NOTHING, NOTHING, "Refund 70: Refund 0/100/0/100", NOTHING],
  ["expired", expired, "Settlement 100: Settlement 0/100/0/0", NOTHING, NONE_SETTLED, NOTHING],
  [
    "reversed in part, the rest expired",
    restExpired,
    "Settlement 70: Settlement 0/70/30/0",
    NOTHING,
    NONE_SETTLED,
    NOTHING,
  ],
  ["declined", declined, NOTHING, NOTHING, NONE_SETTLED, NOTHING],
  ["verified", verified, NOTHING, NOTHING, NONE_SETTLED, NOTHING],
  ["a force post", forcePost, NOTHING, NOTHING, "Refund 100: Refund 0/100/0/100", NOTHING],
  ["an unlinked refund", unlinked, NOTHING, NOTHING, NOTHING, NOTHING],
  ["a top-up", topUp, NOTHING, NOTHING, NOTHING, NOTHING],
])("%s: settle, reverse, refund, expire", (_what, before, ...expected) => {
  expect([settle(), reverse(), refund(), EXPIRY].map((message) => told(before, message))).toEqual(
    expected,
  );
});

// And with an amount.
test.each<[string, Payment, Message, string]>([
  ["less than held", held, settle(99n), "Settlement 99: Settlement 0/99/0/0"],
  ["less, with more to come", held, settle(99n, true), "Settlement 99: Settlement 1/99/0/0"],
  ["all, with more to come", held, settle(100n, true), "Settlement 100: Settlement 0/100/0/0"],
  ["more than held", held, settle(101n), "Settlement 101: Settlement 0/101/0/0 over"],
  [
    "more within the tolerance",
    held,
    settle(105n, false, 500),
    "Settlement 105: Settlement 0/105/0/0",
  ],
  ["more than that", held, settle(106n, false, 500), "Settlement 106: Settlement 0/106/0/0 over"],
  ["the next part", settledInPart, settle(10n, true), "Settlement 10: Settlement 50/50/0/0"],
  ["parts above the whole", settledInPart, settle(61n), "Settlement 61: Settlement 0/101/0/0 over"],
  ["again after all", settled, settle(1n), "Settlement 1: Settlement 0/101/0/0 over"],
  ["what is left of it", reversedInPart, settle(70n), "Settlement 70: Settlement 0/70/30/0"],
  [
    "what was reversed too",
    reversedInPart,
    settle(71n),
    "Settlement 71: Settlement 0/71/30/0 over",
  ],
  ["after expiry", expired, settle(40n), "Settlement 40: Settlement 0/40/0/0"],
  ["after reversal", reversed, settle(40n), "Settlement 40: Settlement 0/40/100/0 over"],
  ["after a refund", refunded, settle(1n), "Settlement 1: Settlement 0/101/0/100 over"],
  ["a verification", verified, settle(1n), "Settlement 1: Settlement 0/1/0/0 over"],
  ["a force post", forcePost, settle(1n), "Settlement 1: Settlement 0/101/0/0 over"],
  ["a declined one", declined, settle(1n), NOTHING],
  ["an unlinked refund", unlinked, settle(1n), NOTHING],
  ["a top-up", topUp, settle(1n), NOTHING],
])("settling %s", (_what, before, message, expected) => {
  expect(told(before, message)).toBe(expected);
});

test.each<[string, Payment, Message, string]>([
  ["part of the hold", held, reverse(30n), "PartialReversal 30: Authorization 70/0/30/0"],
  ["all of the hold", held, reverse(100n), "Reversal 100: Reversal 0/0/100/0"],
  ["more than held", held, reverse(101n), "AMOUNT_EXCEEDS_PREAUTH"],
  ["another part", reversedInPart, reverse(30n), "PartialReversal 30: Authorization 40/0/60/0"],
  ["more than is left", reversedInPart, reverse(71n), "AMOUNT_EXCEEDS_PREAUTH"],
  ["part of the rest", settledInPart, reverse(20n), "PartialReversal 20: Settlement 40/40/20/0"],
  ["more than the rest", settledInPart, reverse(61n), "AMOUNT_EXCEEDS_PREAUTH"],
  [
    "what was never held",
    heldInPart,
    reverseOfPayment(60n),
    "PartialReversal 60: Authorization 40/0/60/0",
  ],
  [
    "that and part of the hold",
    heldInPart,
    reverseOfPayment(70n),
    "PartialReversal 70: Authorization 30/0/70/0",
  ],
  ["all of both", heldInPart, reverseOfPayment(100n), "Reversal 100: Reversal 0/0/100/0"],
  ["more than both", heldInPart, reverseOfPayment(101n), "AMOUNT_EXCEEDS_PREAUTH"],
  ["part of that hold", heldInPart, reverse(30n), "PartialReversal 30: Authorization 10/0/30/0"],
  ["that hold, and so all", heldInPart, reverse(40n), "Reversal 100: Reversal 0/0/100/0"],
  ["more than that hold", heldInPart, reverse(41n), "AMOUNT_EXCEEDS_PREAUTH"],
  ["what is settled", settled, reverse(1n), NOTHING],
  ["what is reversed", reversed, reverse(1n), "ALREADY_REVERSED"],
  ["what is expired", expired, reverse(1n), NOTHING],
  ["what was declined", declined, reverse(1n), NOTHING],
  ["part of a settlement", settled, refund(40n), "Refund 40: Refund 0/100/0/40"],
  ["more than was settled", settled, refund(101n), "TRANSACTION_AMOUNT_DIFFERS"],
  ["more than was settled so far", settledInPart, refund(41n), "TRANSACTION_AMOUNT_DIFFERS"],
  ["more than is left to refund", refundedInPart, refund(71n), "TRANSACTION_AMOUNT_DIFFERS"],
  ["what was never settled", held, refund(1n), "TRANSACTION_AMOUNT_DIFFERS"],
  ["what was reversed, and never settled", reversed, refund(1n), "TRANSACTION_AMOUNT_DIFFERS"],
  ["what was not even approved", declined, refund(1n), "TRANSACTION_AMOUNT_DIFFERS"],
  ["a top-up", topUp, refund(1n), NOTHING],
])("giving back %s", (_what, before, message, expected) => {
  expect(told(before, message)).toBe(expected);
});

test("a hold expires at its time, not before", () => {
  const open = payment({ heldMinor: 100n, expiresAt: LATER });
  expect(told(open, EXPIRY, new Date(LATER.getTime() - 1))).toBe(NOTHING);
  expect(told(open, EXPIRY, LATER)).toBe("Expiry 100: Expired 0/0/0/0");
});

test("what was over-captured stays so", () => {
  const over = payment(
    { stage: "Settlement", settledMinor: 120n, overCaptured: true },
    "Settlement",
  );
  expect(told(over, refund(20n))).toBe("Refund 20: Refund 0/120/0/20 over");
});

const messages: fc.Arbitrary<Message> = fc.oneof(
  fc.record({
    kind: fc.constant("Settlement" as const),
    amountMinor: fc.option(fc.bigInt(1n, 150n), { nil: undefined }),
    isPartial: fc.boolean(),
    toleranceBps: fc.constantFrom(0, 1_000),
  }),
  fc.record({
    kind: fc.constantFrom("Reversal" as const, "Refund" as const),
    amountMinor: fc.option(fc.bigInt(1n, 150n), { nil: undefined }),
  }),
  fc.bigInt(1n, 150n).map(reverseOfPayment),
  fc.constant(EXPIRY),
);

const starts = fc.oneof(
  fc.constant(held),
  fc.bigInt(1n, 99n).map((heldMinor) => payment({ heldMinor })),
);

test("whatever comes in whatever order, no amount falls below zero and nothing is given back twice", () => {
  fc.assert(
    fc.property(starts, fc.array(messages, { maxLength: 12 }), (start, story) => {
      let now: Payment = start;
      for (const message of story) {
        const taken = take(now, message, NOW);
        if ("refused" in taken) continue;
        now = { ...now, ...taken.after, events: [...now.events, event(taken.requestType)] };
        const { heldMinor, settledMinor, reversedMinor, refundedMinor } = now;
        expect(taken.amountMinor).toBeGreaterThan(0n);
        expect(heldMinor).toBeGreaterThanOrEqual(0n);
        expect(refundedMinor).toBeLessThanOrEqual(settledMinor);
        expect(heldMinor + reversedMinor).toBeLessThanOrEqual(100n);
        expect(heldMinor).toBeLessThanOrEqual(start.heldMinor);
        if (heldMinor > 0n) {
          const allMinor = heldMinor + settledMinor + reversedMinor;
          expect(allMinor).toBeLessThanOrEqual(100n);
          if (start === held) expect(allMinor).toBe(100n);
        }
        if (taken.requestType === "Reversal") expect(settledMinor + reversedMinor).toBe(100n);
      }
    }),
  );
});
