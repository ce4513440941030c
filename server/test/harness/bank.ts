import { expect } from "vitest";
import type { Card } from "../../src/cards/card.ts";
import type { Charge } from "../../src/cards/charges/charge.ts";
import { crossBorderCharges } from "../../src/cards/charges/table.ts";
import { createPool, type Pool } from "../../src/db/pool.ts";
import type { Owned } from "../../src/engine/table.ts";
import { newId } from "../../src/foundation/ids.ts";
import { audit } from "../../src/ledger/audit/audit.ts";
import type { ApiAnswer, ApiClient } from "./api-client.ts";
import { type CardEvent, cardEvents } from "./card-events.ts";
import { openCard } from "./cards.ts";
import { foundOrganization, type Organization, openOperator } from "./operator.ts";
import { startTestService, type TestService } from "./service.ts";
import { runStatements } from "./statements.ts";

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

export async function holdMoney(
  pool: Pool,
  { organizationId, cardId, customerId, accountId, currency }: Owned<Card>,
  amountMinor: bigint,
): Promise<void> {
  await pool.query(
    `insert into transactions (organization_id, transaction_id, card_id, customer_id, account_id, type, stage,
       approved, response_code, amount_minor, currency, billing_amount_minor, billing_currency, held_minor,
       events, expires_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, 'Authorization', 'Authorization', true, '000', $6, $7, $6, $7, $6, '[]',
       '2035-01-01', '2026-01-01', now())`,
    [
      organizationId,
      newId("txn", Date.now()),
      cardId,
      customerId,
      accountId,
      amountMinor,
      currency,
    ],
  );
  await pool.query("update accounts set held_minor = held_minor + $2 where account_id = $1", [
    accountId,
    amountMinor,
  ]);
}

export async function oweCharge(
  pool: Pool,
  { organizationId, cardId, accountId, currency }: Owned<Card>,
  amountMinor: bigint,
  change: Partial<Charge> = {},
): Promise<Charge> {
  const charge: Charge = {
    chargeId: newId("chg", nextMs()),
    cardId,
    accountId,
    transactionId: newId("txn", Date.now()),
    amountMinor,
    currency,
    status: "Pending",
    createdAt: new Date(),
    collectedAt: null,
    ...change,
  };
  const statement = crossBorderCharges.insert?.([{ ...charge, organizationId }]);
  await runStatements(pool, ...(statement === undefined ? [] : [statement]));
  return charge;
}

/** Later than any before, so that the age of what is made with it is certain. */
let lastMs = 0;
function nextMs(): number {
  lastMs = Math.max(lastMs + 1, Date.now());
  return lastMs;
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
