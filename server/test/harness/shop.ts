import { afterAll, beforeAll, expect } from "vitest";
import type { Card } from "../../src/cards/card.ts";
import { type Bank, openBank } from "./bank.ts";
import { type Payments, paymentsOf } from "./payments.ts";

/** A bank whose cards are used at merchants, and looked at afterwards. */
export interface Shop {
  bank: Bank;
  payments: Payments;
  open(balanceMinor: bigint, change?: Partial<Card>): Promise<Card>;
  /** Makes a purchase that is approved, and gives its transaction. */
  buy(card: Card, amount: number, more?: object): Promise<string>;
  cardOf(card: Card): Promise<Record<string, unknown>>;
  chargesOf(card: Card): Promise<unknown>;
  terminate(card: Card): Promise<unknown>;
}

async function openShop(): Promise<Shop> {
  const bank = await openBank();
  const { client } = bank;
  const payments = paymentsOf(client);
  return {
    bank,
    payments,
    open: (balanceMinor, change = {}) => bank.open({ balanceMinor, ...change }),
    buy: async ({ cardId }, amount, more = {}) => {
      const { body } = await payments.buy(cardId, amount, more);
      expect(body.data).toMatchObject({ approved: true });
      return body.data.transactionId;
    },
    cardOf: async ({ cardId }) => (await client.get(`/cards/${cardId}`)).body.data,
    chargesOf: async ({ cardId }) =>
      (await client.get(`/cards/${cardId}/cross-border-charges`)).body.data,
    terminate: ({ cardId }) => client.post(`/cards/${cardId}/terminate`, {}),
  };
}

/** Opens a shop before the tests of a file and stops its bank after them. */
export function shopService(opened: (shop: Shop) => void): void {
  let shop: Shop | undefined;
  beforeAll(async () => {
    shop = await openShop();
    opened(shop);
  });
  afterAll(() => shop?.bank.stop());
}
