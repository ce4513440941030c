import { cards } from "../../src/cards/tables.ts";
import type { Statement } from "../../src/db/lane.ts";
import type { Pool } from "../../src/db/pool.ts";
import { transaction } from "../../src/db/transaction.ts";
import { sendOn } from "../../src/db/trip.ts";
import { newId } from "../../src/foundation/ids.ts";
import { insertAccounts } from "../../src/ledger/accounts.ts";
import { openWallet } from "../../src/ledger/store.ts";
import { keptOf } from "../../test/harness/kept.ts";
import { PLAIN_CARD } from "../../test/harness/plain-card.ts";

const CHUNK = 10_000;
/** Enough for any benchmark; it was never deposited, and nobody audits these books. */
const PLENTY_MINOR = 1_000_000_000_000n;

export interface SeededCard {
  cardId: string;
  accountId: string;
  customerId: string;
}

/** Cards with money on them and a wallet behind them, written straight to the database. */
export async function seedCards(
  pool: Pool,
  organizationId: string,
  count: number,
): Promise<SeededCard[]> {
  await fillWallet(pool, organizationId);
  const seeded: SeededCard[] = [];
  while (seeded.length < count) {
    const chunk = Array.from({ length: Math.min(CHUNK, count - seeded.length) }, newCard);
    await transaction(pool, (tx) => sendOn(tx, statementsFor(organizationId, chunk)));
    seeded.push(...chunk);
  }
  return seeded;
}

async function fillWallet(pool: Pool, organizationId: string): Promise<void> {
  const now = new Date();
  const walletId = newId("wal", now.getTime());
  await openWallet(pool, { organizationId, walletId, currency: "USD", now });
  await pool.query(
    "update accounts set posted_minor = $2 where organization_id = $1 and kind = 'Wallet' and currency = 'USD'",
    [organizationId, PLENTY_MINOR],
  );
}

function newCard(): SeededCard {
  const nowMs = Date.now();
  return {
    cardId: newId("card", nowMs),
    accountId: newId("acc", nowMs),
    customerId: newId("cus", nowMs),
  };
}

function statementsFor(organizationId: string, seeded: SeededCard[]): Statement[] {
  const now = new Date();
  const accounts = seeded.map((card) => ({
    organizationId,
    accountId: card.accountId,
    kind: "Card" as const,
    currency: "USD" as const,
    postedMinor: PLENTY_MINOR,
    heldMinor: 0n,
    kept: keptOf({ ...PLAIN_CARD, ...card }),
  }));
  const rows = seeded.map((ids) => ({ ...PLAIN_CARD, ...ids, organizationId, createdAt: now }));
  return [insertAccounts(accounts, now), cards.insert?.(rows)].flatMap(
    (statement) => statement ?? [],
  );
}
