import type { Card } from "../../src/cards/card.ts";
import { cards } from "../../src/cards/tables.ts";
import type { Pool } from "../../src/db/pool.ts";
import type { Owned, Table } from "../../src/engine/table.ts";
import { newId } from "../../src/foundation/ids.ts";
import { counterAccount, insertAccounts } from "../../src/ledger/accounts.ts";
import { insertPostings } from "../../src/ledger/postings.ts";
import { holdMoney } from "./burdens.ts";
import { keep } from "./kept.ts";
import { PLAIN_CARD } from "./plain-card.ts";
import { runStatements } from "./statements.ts";

/**
 * A card straight in the database, for tests of what happens to cards rather than of issuing them. What
 * is on it came from the deposits account, or went there when it is below zero.
 */
export async function openCard(
  pool: Pool,
  organizationId: string,
  { balanceMinor = 0n, ...change }: Partial<Card> & { balanceMinor?: bigint } = {},
): Promise<Owned<Card>> {
  const isShared = change.accountId !== undefined;
  const card = { ...anyCard(organizationId), ...implied(change), isGuest: isShared, ...change };
  const { accountId, currency } = card;
  if (!isShared) {
    const account = { organizationId, accountId, kind: "Card" as const, currency };
    await runStatements(
      pool,
      insertAccounts([{ ...account, postedMinor: 0n, heldMinor: 0n }], NOW),
    );
  }
  await keep(pool, card);
  await openCustomer(pool, card);
  await insert(pool, cards, card);
  if (!isShared && balanceMinor !== 0n) await post(pool, card, balanceMinor);
  // The last card of a balance that nothing is held of has paid it out.
  if (card.status === "Terminated" && !card.sharedBalance && balanceMinor > 0n)
    await holdMoney(pool, card, 1n);
  return card;
}

const NOW = new Date("2026-01-01T00:00:00.000Z");

/** What a card of some kind, status or currency must have. */
function implied({ type, status, currency }: Partial<Card>): Partial<Card> {
  return {
    ...(currency === "NGN" ? { programmeId: "ngn-ng" } : {}),
    ...(type === "Lite" ? { swipeCount: 10 } : {}),
    ...(status === "Terminated" ? { terminationReason: "Requested", terminatedAt: NOW } : {}),
  };
}

async function openCustomer(
  pool: Pool,
  { organizationId, customerId }: Owned<Card>,
): Promise<void> {
  await pool.query(
    `insert into customers (organization_id, customer_id, type, client_reference, first_name, last_name,
       search_name, kyc_token, status, created_at, approved_at)
     values ($1, $2, 'Individual', $2, 'Ada', 'Obi', ' ada obi', $3, 'Approved', $4, $4)
     on conflict do nothing`,
    [organizationId, customerId, newId("kyc", Date.now()), NOW],
  );
}

/** A plain card, for tests that change what matters to them. */
export function anyCard(organizationId: string): Owned<Card> {
  return {
    organizationId,
    cardId: newId("card", Date.now()),
    customerId: newId("cus", Date.now()),
    accountId: newId("acc", Date.now()),
    ...PLAIN_CARD,
    createdAt: NOW,
  };
}

async function post(pool: Pool, card: Owned<Card>, balanceMinor: bigint): Promise<void> {
  const { organizationId, accountId, currency } = card;
  const isCredit = balanceMinor > 0n;
  const deposits = counterAccount("Deposits", currency);
  const posting = {
    organizationId,
    entryId: newId("jrn", Date.now()),
    kind: "Deposit" as const,
    debitAccountId: isCredit ? deposits : accountId,
    creditAccountId: isCredit ? accountId : deposits,
    amountMinor: isCredit ? balanceMinor : -balanceMinor,
    currency,
    debitBalanceMinor: isCredit ? null : balanceMinor,
    creditBalanceMinor: isCredit ? balanceMinor : null,
  };
  await runStatements(pool, insertPostings([posting], NOW));
  await pool.query("update accounts set posted_minor = $2 where account_id = $1", [
    accountId,
    balanceMinor,
  ]);
}

async function insert<Row extends object>(
  pool: Pool,
  table: Table<Row>,
  row: Owned<Row>,
): Promise<void> {
  const statement = table.insert?.([row]);
  if (statement === undefined) throw new Error(`Rows of ${table.name} cannot be inserted.`);
  await runStatements(pool, statement);
}
