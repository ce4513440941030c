import { textArray } from "../db/arrays.ts";
import type { Connection } from "../db/pool.ts";
import type { ManyQuery } from "../db/reads.ts";
import type { Currency } from "../foundation/currencies.ts";

export interface WalletRow {
  organizationId: string;
  walletId: string;
  currency: Currency;
  postedMinor: bigint;
  heldMinor: bigint;
}

/** The wallets of organizations. */
export const walletsOf: ManyQuery<string, WalletRow> = {
  statement: (organizationIds) => ({
    name: "wallets_of",
    text: `
      select organization_id as "organizationId", account_id as "walletId", currency,
             posted_minor as "postedMinor", held_minor as "heldMinor"
        from accounts where organization_id = any($1) and kind = 'Wallet' order by currency`,
    values: [textArray(organizationIds)],
  }),
  keyOf: (row) => row.organizationId,
};

export async function findWalletId(
  db: Connection,
  organizationId: string,
  currency: Currency,
): Promise<string | undefined> {
  const { rows } = await db.query<{ walletId: string }>(
    `select account_id as "walletId" from accounts
      where organization_id = $1 and kind = 'Wallet' and currency = $2`,
    [organizationId, currency],
  );
  return rows[0]?.walletId;
}
