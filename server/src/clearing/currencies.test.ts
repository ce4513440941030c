import fc from "fast-check";
import { expect, test } from "vitest";
import { billingOf } from "../authorization/billing.ts";
import type { Currency } from "../foundation/currencies.ts";
import { newId } from "../foundation/ids.ts";
import { formatAmount } from "../foundation/money.ts";
import { readProgrammes } from "../programmes/read.ts";
import { completed, type Transaction } from "../transactions/transaction.ts";
import { inBilling, inOwnCurrency, ownAmounts, withAmount } from "./currencies.ts";
import { type Message, take } from "./life.ts";

const NOW = new Date("2026-03-01T00:00:00.000Z");
const [dollars] = readProgrammes();
if (dollars === undefined) throw new Error("There is no programme.");

/** A purchase abroad with a card in dollars, held. */
function bought(amountMinor: bigint, currency: Currency): Transaction {
  const billing = billingOf(dollars as NonNullable<typeof dollars>, amountMinor, currency);
  const card = {
    cardId: "card_1",
    customerId: "cus_1",
    accountId: "acc_1",
    currency: "USD",
  } as const;
  const base = completed({
    transactionId: newId("txn", NOW.getTime()),
    card,
    type: "Authorization",
    amountMinor,
    now: NOW,
  });
  return {
    ...base,
    currency,
    stage: "Authorization",
    billingAmountMinor: billing?.amountMinor ?? 0n,
    heldMinor: billing?.amountMinor ?? 0n,
    billingRate: billing?.rate ?? null,
    expiresAt: NOW,
    events: [
      {
        requestType: "Authorization",
        amount: formatAmount(amountMinor, currency),
        responseCode: "000",
        at: NOW.toISOString(),
      },
    ],
  };
}

/** What a message makes of it; what is refused is said by its name. */
function after(transaction: Transaction, sent: Message): Transaction | string {
  const message = withAmount(transaction, sent);
  if ("refused" in message) return message.refused;
  const step = take(transaction, inBilling(transaction, message), NOW);
  if ("refused" in step) return step.refused;
  const { requestType } = step;
  const amount = formatAmount(inOwnCurrency(transaction, message, step), transaction.currency);
  const event = { requestType, amount, responseCode: "000", at: NOW.toISOString() };
  return { ...transaction, ...step.after, events: [...transaction.events, event] };
}

const settle = (amountMinor?: bigint, isPartial = true): Message => ({
  kind: "Settlement",
  amountMinor,
  isPartial,
  toleranceBps: 0,
});
const reverse = (amountMinor?: bigint): Message => ({ kind: "Reversal", amountMinor });
const leave = (remainingMinor: bigint): Message => ({ kind: "Reversal", remainingMinor });
const refund = (amountMinor?: bigint): Message => ({ kind: "Refund", amountMinor });

test.each<[bigint, Currency, bigint]>([
  [10_00n, "EUR", 10_80n],
  [5n, "GBP", 6n],
  [10_000_00n, "NGN", 6_50n],
  // Less than a cent is a cent, and nothing is nothing.
  [1_00n, "NGN", 1n],
  [0n, "NGN", 0n],
])("%i minor units of %s are %i cents", (amountMinor, currency, cents) => {
  expect(bought(amountMinor, currency).billingAmountMinor).toBe(cents);
});

test("what is left in one currency is what is left in the other", () => {
  // 0.05 GBP are 6 cents; 0.02 GBP alone would be 3, and so 0.05 in parts would be 7.
  const first = after(bought(5n, "GBP"), settle(2n)) as Transaction;
  expect(first).toMatchObject({ settledMinor: 3n, heldMinor: 3n });
  const second = after(first, reverse(3n)) as Transaction;
  expect(second).toMatchObject({ heldMinor: 0n, reversedMinor: 3n, overCaptured: false });
  expect(second.events.map(({ requestType, amount }) => [requestType, amount])).toEqual([
    ["Authorization", 0.05],
    ["Settlement", 0.02],
    ["Reversal", 0.03],
  ]);
  expect(after(second, refund(2n))).toMatchObject({ stage: "Refund", refundedMinor: 3n });
});

test("more than is left is not rounded down to what is left", () => {
  // 0.01 ZAR is worth a twentieth of a cent.
  const purchase = bought(1_000n, "ZAR");
  expect(after(purchase, reverse(1_001n))).toBe("AMOUNT_EXCEEDS_PREAUTH");
  expect(after(purchase, settle(1_001n))).toMatchObject({ overCaptured: true });
  const settled = after(purchase, settle()) as Transaction;
  expect(after(settled, refund(1_001n))).toBe("TRANSACTION_AMOUNT_DIFFERS");
  expect(after(settled, refund(1_000n))).toMatchObject({ refundedMinor: 55n });
});

test("what is reversed leaves what the rest is worth", () => {
  // 0.05 GBP are 6 cents, 0.03 GBP are 4, and the 0.02 GBP that stay are 3.
  const rest = after(bought(5n, "GBP"), reverse(3n)) as Transaction;
  expect(rest).toMatchObject({ heldMinor: 3n, reversedMinor: 3n });
  expect(after(rest, settle(2n))).toMatchObject({ settledMinor: 3n, overCaptured: false });
});

test("what was settled cannot be reversed, not even where it comes to the same cents", () => {
  const part = after(bought(1_000n, "ZAR"), settle(490n)) as Transaction;
  expect(part).toMatchObject({ settledMinor: 27n, heldMinor: 28n });
  expect(after(part, reverse(511n))).toBe("AMOUNT_EXCEEDS_PREAUTH");
  expect(after(part, reverse(510n))).toMatchObject({ settledMinor: 27n, heldMinor: 0n });
});

test("what clients may not send at once, payments may come to: their story is read all the same", () => {
  const settled = after(bought(20_000_000_00n, "NGN"), settle()) as Transaction;
  expect(settled.events.at(-1)).toMatchObject({ requestType: "Settlement", amount: 20_000_000 });
  expect(after(settled, refund(5_000_000_00n))).toMatchObject({ refundedMinor: 3_250_00n });
  expect(after(settled, refund())).toMatchObject({ refundedMinor: 13_000_00n });
});

test("a reversed part leaves a cent for the rest, however little that is", () => {
  // 2.00 NGN are a cent, and so is each half of them.
  const half = after(bought(2_00n, "NGN"), reverse(1_00n)) as Transaction;
  expect(half).toMatchObject({ stage: "Authorization", heldMinor: 1n, reversedMinor: 0n });
  expect(half.events.at(-1)).toMatchObject({ requestType: "PartialReversal", amount: 1 });
  expect(after(half, settle(1_00n))).toMatchObject({ settledMinor: 1n, overCaptured: false });
  expect(after(half, reverse(1_00n))).toMatchObject({ stage: "Reversal", heldMinor: 0n });
});

test("without an amount the story tells what was left in the payment's currency", () => {
  const part = after(bought(10_00n, "EUR"), settle(4_00n)) as Transaction;
  const done = after(part, settle(undefined, false)) as Transaction;
  expect(done.events.map(({ amount }) => amount)).toEqual([10, 4, 6]);
  expect(done).toMatchObject({ settledMinor: 10_80n, overCaptured: false });
  expect(after(done, refund())).toMatchObject({ refundedMinor: 10_80n });
});

test("parts that add up to what was authorized are billed as it was, to the cent", () => {
  // 10.00 EUR are 10.80 USD; 3.33 EUR alone would be 3.60, and three of them all of it.
  let now = bought(10_00n, "EUR");
  const settled: bigint[] = [];
  for (const minor of [3_33n, 3_33n, 3_33n, 1n]) {
    now = after(now, settle(minor)) as Transaction;
    settled.push(now.settledMinor);
  }
  expect(settled).toEqual([3_60n, 7_19n, 10_79n, 10_80n]);
  expect(now).toMatchObject({ heldMinor: 0n, overCaptured: false });
  expect(after(now, settle(1n))).toMatchObject({ settledMinor: 10_81n, overCaptured: true });
});

test("parts of less than a cent come to one together", () => {
  // 2.00 NGN are a cent; the first half takes it, and the other is settled and refunded for nothing.
  const half = after(bought(2_00n, "NGN"), settle(1_00n)) as Transaction;
  expect(half).toMatchObject({ settledMinor: 1n, heldMinor: 0n });
  const whole = after(half, settle(1_00n)) as Transaction;
  expect(whole).toMatchObject({ settledMinor: 1n, overCaptured: false });
  const back = after(whole, refund(1_00n)) as Transaction;
  expect(back).toMatchObject({ refundedMinor: 1n });
  const done = after(back, refund(1_00n)) as Transaction;
  expect(done).toMatchObject({ refundedMinor: 1n });
  expect(done.events.map(({ amount }) => amount)).toEqual([2, 1, 1, 1, 1]);
  expect(after(done, refund(1n))).toBe("TRANSACTION_AMOUNT_DIFFERS");
  expect(after(done, refund())).toBe("TRANSACTION_AMOUNT_DIFFERS");
});

test("what is settled after its hold was released is billed with what came before it", () => {
  const first = after(bought(10_00n, "EUR"), settle(3_33n, false)) as Transaction;
  expect(first).toMatchObject({ settledMinor: 3_60n, heldMinor: 0n });
  const second = after(first, settle(6_67n, false)) as Transaction;
  expect(second).toMatchObject({ settledMinor: 10_80n, overCaptured: false });
});

test.each(["EUR", "USD"] as const)("nothing of a purchase in %s is no step", (currency) => {
  const purchase = bought(10_00n, currency);
  for (const message of [settle(0n), reverse(0n), refund(0n)]) {
    expect(withAmount(purchase, message)).toEqual({ refused: "INVALID_REQUEST_AMOUNT" });
  }
});

test("an advice that held what there was, and was taken back, is settled for what is settled", () => {
  const advised = { ...bought(100_00n, "EUR"), heldMinor: 10_00n };
  const settledAfter = (...messages: Message[]): bigint[] => {
    let now: Transaction = advised;
    return messages.map((message) => {
      now = after(now, message) as Transaction;
      return now.settledMinor;
    });
  };
  expect(settledAfter(reverse(), settle(5_00n))).toEqual([0n, 5_40n]);
  expect(settledAfter(settle(5_00n), reverse(), settle(5_00n))).toEqual([5_40n, 5_40n, 10_80n]);
  expect(settledAfter(settle(5_00n), settle(5_00n))).toEqual([5_40n, 10_80n]);
});

test("of an advice that held less than it was for, what remains is held as far as it was", () => {
  // 20.00 EUR are 21.60 USD, and 10.00 of them are held.
  const advised = { ...bought(20_00n, "EUR"), heldMinor: 10_00n };
  const most = after(advised, leave(15_00n)) as Transaction;
  expect(most).toMatchObject({ heldMinor: 10_00n, reversedMinor: 5_40n });
  const less = after(most, leave(5_00n)) as Transaction;
  expect(less).toMatchObject({ heldMinor: 5_40n, reversedMinor: 16_20n });
  expect(less.events.map(({ amount }) => amount)).toEqual([20, 5, 10]);
  expect(after(less, settle(5_00n))).toMatchObject({ settledMinor: 5_40n, overCaptured: false });
  expect(after(less, settle(5_01n))).toMatchObject({ overCaptured: true });
  expect(after(less, leave(5_00n))).toBe("INVALID_REQUEST_AMOUNT");
  expect(after(less, leave(5_01n))).toBe("AMOUNT_EXCEEDS_PREAUTH");
  const none = after(less, reverse()) as Transaction;
  expect(none).toMatchObject({ stage: "Reversal", heldMinor: 0n, reversedMinor: 21_60n });
  expect(after(none, settle(1n))).toMatchObject({ settledMinor: 1n, overCaptured: true });
});

test("an advice that held less than it was for is settled whole without an amount", () => {
  const advised = { ...bought(10_00n, "EUR"), heldMinor: 5_00n };
  const whole = after(advised, settle()) as Transaction;
  expect(whole).toMatchObject({ settledMinor: 10_80n, heldMinor: 0n, overCaptured: false });
  expect(whole.events.at(-1)).toMatchObject({ requestType: "Settlement", amount: 10 });
  const part = after(advised, settle(3_00n)) as Transaction;
  expect(part).toMatchObject({ settledMinor: 3_24n, heldMinor: 1_76n });
  expect(after(part, settle())).toMatchObject({ settledMinor: 10_80n, overCaptured: false });
});

test("the last of a hold takes all that is open with it, in both currencies", () => {
  const advised = { ...bought(20_00n, "EUR"), heldMinor: 10_80n };
  const reversed = after(advised, reverse(10_00n)) as Transaction;
  expect(reversed).toMatchObject({ stage: "Reversal", heldMinor: 0n, reversedMinor: 21_60n });
  expect(reversed.events.at(-1)).toMatchObject({ requestType: "Reversal", amount: 20 });
});

test("what was reversed when only the hold counted is settled for what is settled", () => {
  const reversal = { requestType: "Reversal", amount: 100, responseCode: "000", at: "" };
  const purchase = bought(100_00n, "EUR");
  const events = [...purchase.events, reversal];
  const before = { ...purchase, stage: "Reversal", heldMinor: 0n, reversedMinor: 10_00n, events };
  expect(after(before as Transaction, settle(5_00n))).toMatchObject({ settledMinor: 5_40n });
});

/** A life of an advice that held less than it was for, without regard to what may come next. */
const advisedLives = fc.record({
  heldMinor: fc.bigInt(1n, 100_00n),
  messages: fc.array(
    fc.oneof(
      fc.bigInt(1n, 150_00n).map((minor) => settle(minor)),
      fc.bigInt(1n, 150_00n).map((minor) => settle(minor, false)),
      fc.bigInt(1n, 150_00n).map((minor) => reverse(minor)),
      fc.bigInt(1n, 110_00n).map(leave),
      fc.bigInt(1n, 150_00n).map((minor) => refund(minor)),
      fc.constantFrom(reverse(), settle(), settle(undefined, false), refund()),
    ),
    { maxLength: 8 },
  ),
});

const inDollars = (minor: bigint): bigint =>
  billingOf(dollars as NonNullable<typeof dollars>, minor, "EUR")?.amountMinor ?? 0n;

test("whatever an advice held, what becomes of it is worth what its events tell, and they what was sent", () => {
  fc.assert(
    fc.property(advisedLives, ({ heldMinor, messages }) => {
      let now: Transaction = { ...bought(100_00n, "EUR"), heldMinor };
      const about = (minor: bigint, expectedMinor: bigint): void => {
        const differenceMinor = minor - expectedMinor;
        expect(differenceMinor).toBeLessThanOrEqual(BigInt(messages.length) + 2n);
        expect(differenceMinor).toBeGreaterThanOrEqual(-BigInt(messages.length) - 2n);
      };
      for (const message of messages) {
        const before = now;
        const next = after(before, message);
        if (typeof next === "string") continue;
        now = next;
        const told = now.events.at(-1);
        if (message.kind === "Settlement" && message.amountMinor !== undefined) {
          expect(told?.amount).toBe(formatAmount(message.amountMinor, "EUR"));
        }
        if (message.kind === "Reversal" && message.remainingMinor !== undefined) {
          const leftMinor = inDollars(message.remainingMinor) - before.settledMinor;
          about(now.heldMinor, leftMinor < before.heldMinor ? leftMinor : before.heldMinor);
        }
        const own = ownAmounts(now);
        about(now.settledMinor, inDollars(own.settledMinor));
        about(now.reversedMinor, inDollars(own.reversedMinor));
        about(now.refundedMinor, inDollars(own.refundedMinor));
        if (now.heldMinor > 0n) {
          const allMinor = now.heldMinor + now.settledMinor + now.reversedMinor;
          expect(allMinor).toBeLessThanOrEqual(now.billingAmountMinor);
        }
      }
    }),
    { numRuns: 500 },
  );
});

/** A purchase cut into parts, each of which is settled or reversed. */
const cutPurchases = fc
  .record({
    currency: fc.constantFrom<Currency>("EUR", "GBP", "NGN", "KES", "ZAR", "USD"),
    parts: fc.array(
      fc.record({
        isSettled: fc.boolean(),
        minor: fc.oneof(fc.bigInt(1n, 9n), fc.bigInt(1n, 9_999n), fc.bigInt(1n, 9_999_99n)),
      }),
      { minLength: 1, maxLength: 12 },
    ),
  })
  .map(({ currency, parts }) => ({
    parts,
    purchase: bought(
      parts.reduce((sum, { minor }) => sum + minor, 0n),
      currency,
    ),
  }));

/** One step, which takes from the hold what it adds, and nothing below zero. */
function stepped(before: Transaction, message: Message): Transaction {
  const next = after(before, message);
  if (typeof next === "string") throw new Error(`It was refused: ${next}`);
  expect(next.settledMinor).toBeGreaterThanOrEqual(before.settledMinor);
  expect(next.reversedMinor).toBeGreaterThanOrEqual(before.reversedMinor);
  expect(next.heldMinor).toBeGreaterThanOrEqual(0n);
  const { heldMinor, settledMinor, reversedMinor } = next;
  expect(heldMinor + settledMinor + reversedMinor).toBe(next.billingAmountMinor);
  expect(next.overCaptured).toBe(false);
  return next;
}

test("however a purchase is cut into parts, they add up: none is refused, none is over", () => {
  fc.assert(
    fc.property(cutPurchases, ({ purchase, parts }) => {
      let now = purchase;
      for (const { isSettled, minor } of parts) {
        // Parts of less than a cent may have taken the last of the hold: nothing can be reversed then.
        now = stepped(now, isSettled || now.heldMinor === 0n ? settle(minor) : reverse(minor));
      }
      expect(now.heldMinor).toBe(0n);
      expect(now.settledMinor + now.reversedMinor).toBe(purchase.billingAmountMinor);
    }),
    { numRuns: 300 },
  );
});

test("what is settled in parts is refunded in parts, to the cent", () => {
  fc.assert(
    fc.property(cutPurchases, ({ purchase, parts }) => {
      let now = after(purchase, settle()) as Transaction;
      for (const { minor } of parts) {
        const next = after(now, refund(minor)) as Transaction;
        expect(next.refundedMinor).toBeGreaterThanOrEqual(now.refundedMinor);
        now = next;
      }
      expect(now.refundedMinor).toBe(purchase.billingAmountMinor);
      expect(after(now, refund(1n))).toBe("TRANSACTION_AMOUNT_DIFFERS");
    }),
  );
});
