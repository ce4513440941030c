import type { Card } from "../../src/cards/card.ts";
import type { Charge } from "../../src/cards/charges/charge.ts";
import { crossBorderCharges } from "../../src/cards/charges/table.ts";
import type { Pool } from "../../src/db/pool.ts";
import type { Owned } from "../../src/engine/table.ts";
import { newId } from "../../src/foundation/ids.ts";
import { runStatements } from "./statements.ts";

/** Straight in the database, as what was authorized and is still open. */
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

/** Straight in the database, as what could not be collected yet. */
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
