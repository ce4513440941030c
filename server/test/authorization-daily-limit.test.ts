import { afterAll, describe, expect, test } from "vitest";
import type { Card } from "../src/cards/card.ts";
import type { Bank } from "./harness/bank.ts";
import { bankByDay } from "./harness/bank-by-day.ts";
import { decideAgain } from "./harness/decide-again.ts";
import { DAY_S, type Payments } from "./harness/payments.ts";

let bank: Bank;
let payments: Payments;
bankByDay((open) => {
  ({ bank, payments } = open);
});

// Comes before the bank is stopped: what was registered last is done first.
afterAll(async () => {
  expect(await decideAgain(bank.pool)).toBeGreaterThan(0);
  await bank.expectProof();
});

describe("the daily limit", () => {
  const limited = (change: Partial<Card> = {}) =>
    bank.open({ balanceMinor: 1_000_00n, dailyLimitMinor: 100_00n, ...change });
  const buy = async ({ cardId }: Card, amount: number) => {
    const { body } = await payments.buy(cardId, amount);
    return body.data as { transactionId: string; responseCode: string };
  };

  test("counts what is held and what is settled, and reversals give it back", async () => {
    const card = await limited();
    const first = await buy(card, 60);
    const second = await buy(card, 40);
    expect((await buy(card, 0.01)).responseCode).toBe("129");
    await payments.settle(first.transactionId, { amount: 50 });
    expect((await buy(card, 10.01)).responseCode).toBe("129");
    expect((await buy(card, 10)).responseCode).toBe("000");
    await payments.reverse(second.transactionId, { amount: 15 });
    expect((await buy(card, 15.01)).responseCode).toBe("129");
    expect((await buy(card, 15)).responseCode).toBe("000");
    await payments.reverse(second.transactionId);
    expect((await buy(card, 25)).responseCode).toBe("000");
  });

  test("is not changed by refunds", async () => {
    const card = await limited();
    const { transactionId } = await buy(card, 100);
    await payments.settle(transactionId);
    await payments.refund(transactionId);
    await payments.refundUnlinked(card.cardId, 50);
    expect((await buy(card, 1)).responseCode).toBe("129");
  });

  test("counts what was settled beyond the hold, and without one", async () => {
    const card = await limited();
    const { transactionId } = await buy(card, 10);
    await payments.settle(transactionId, { amount: 30 });
    await payments.forcePost(card.cardId, 20);
    expect((await buy(card, 50.01)).responseCode).toBe("129");
    expect((await buy(card, 50)).responseCode).toBe("000");
  });

  test("counts what is settled on an approval of nothing, which may be the day's first", async () => {
    const card = await limited();
    const { transactionId } = await buy(card, 0);
    await payments.settle(transactionId, { amount: 60, partial: true });
    expect((await buy(card, 40.01)).responseCode).toBe("129");
    expect((await buy(card, 40)).responseCode).toBe("000");
  });

  test("is a card's own where the balance is shared", async () => {
    const card = await limited({ sharedBalance: true });
    const { accountId, customerId } = card;
    const other = await limited({ accountId, customerId, sharedBalance: true });
    await buy(card, 100);
    expect((await buy(card, 1)).responseCode).toBe("129");
    expect((await buy(other, 100)).responseCode).toBe("000");
  });

  test("is counted although it was set later, and begins anew with every UTC day", async () => {
    const card = await bank.open({ balanceMinor: 1_000_00n });
    const { transactionId } = await buy(card, 80);
    const limit = { cardLimits: { dailyLimit: 100 } };
    await bank.client.call("PATCH", `/cards/${card.cardId}`, { body: limit });
    expect((await buy(card, 20.01)).responseCode).toBe("129");
    await payments.advance(DAY_S);
    expect((await buy(card, 100)).responseCode).toBe("000");
    // It was approved yesterday, so today gets nothing back.
    await payments.reverse(transactionId);
    expect((await buy(card, 1)).responseCode).toBe("129");
  });

  test("gets back what expires on the day of its approval only", async () => {
    const card = await limited();
    await buy(card, 100);
    await payments.advance(7 * DAY_S);
    expect((await buy(card, 100)).responseCode).toBe("000");
    expect((await buy(card, 1)).responseCode).toBe("129");
  });
});
