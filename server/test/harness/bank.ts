import { expect } from "vitest";
import type { Card } from "../../src/cards/card.ts";
import type { Charge } from "../../src/cards/charges/charge.ts";
import { createPool, type Pool } from "../../src/db/pool.ts";
import type { Owned } from "../../src/engine/table.ts";
import { audit } from "../../src/ledger/audit/audit.ts";
import type { ApiAnswer, ApiClient } from "./api-client.ts";
import { holdMoney, oweCharge } from "./burdens.ts";
import { type CardEvent, cardEvents } from "./card-events.ts";
import { openCard } from "./cards.ts";
import { foundOrganization, type Organization, openOperator } from "./operator.ts";
import { startTestService, type TestService } from "./service.ts";

/** A service with a hand in its database, for tests of what happens to money. */
interface CardMoney {
  balance: number;
  availableBalance: number;
  heldAmount: number;
}

export interface Bank {
  service: TestService;
  client: ApiClient;
  pool: Pool;
  organizationId: string;
  open(change?: Parameters<typeof openCard>[2]): Promise<Owned<Card>>;
  /** Reserves money of a card's account, as an authorization would. */
  hold(card: Owned<Card>, amountMinor: bigint): Promise<void>;
  /** Lets a card owe a cross-border charge. */
  owe(card: Owned<Card>, amountMinor: bigint, change?: Partial<Charge>): Promise<Charge>;
  eventsOf(cardId: string): Promise<CardEvent[]>;
  /** What a card shows of its money. */
  moneyOf(card: Pick<Card, "cardId">): Promise<CardMoney>;
  /** What the accounts say, in minor units. */
  balanceOf(accountId: string): Promise<bigint>;
  walletId(currency?: string): Promise<string>;
  /** Another organization, with no money. */
  foundAnother(): Promise<Organization>;
  /** The books hold; for the end of every test that moved money. */
  expectProof(): Promise<void>;
  stop(): Promise<void>;
}

export async function openBank(overrides: Record<string, string> = {}): Promise<Bank> {
  const service = await startTestService(overrides);
  const pool = createPool(service.databaseUrl, 3);
  const { rows } = await pool.query("select organization_id as id from organizations");
  const organizationId: string = rows[0].id;
  const one = async <T>(sql: string, values: unknown[]): Promise<T> =>
    (await pool.query(sql, values)).rows[0]?.value;
  return {
    service,
    client: service.client,
    pool,
    organizationId,
    open: (change) => openCard(pool, organizationId, change),
    hold: (card, amountMinor) => holdMoney(pool, card, amountMinor),
    owe: (card, amountMinor, change) => oweCharge(pool, card, amountMinor, change),
    eventsOf: (cardId) => cardEvents(pool, cardId),
    moneyOf: async ({ cardId }) => {
      const { balance, availableBalance, heldAmount } = (
        await service.client.get(`/cards/${cardId}`)
      ).body.data;
      return { balance, availableBalance, heldAmount };
    },
    balanceOf: (accountId) =>
      one("select posted_minor as value from accounts where account_id = $1", [accountId]),
    walletId: (currency = "USD") =>
      one(
        `select account_id as value from accounts
          where organization_id = $1 and kind = 'Wallet' and currency = $2`,
        [organizationId, currency],
      ),
    foundAnother: async () => {
      const operator = await openOperator(service);
      try {
        return await foundOrganization(operator, service);
      } finally {
        await operator.close();
      }
    },
    expectProof: async () => expect((await audit(pool)).problems).toEqual([]),
    stop: async () => {
      await pool.end();
      await service.stop();
    },
  };
}

/** Answers as clients judge them, counted: `{ "200/000": 3, "422/116": 1 }`. */
export function tally(answers: readonly ApiAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const verdict = `${status}/${body?.responseCode}`;
    counts[verdict] = (counts[verdict] ?? 0) + 1;
  }
  return counts;
}
