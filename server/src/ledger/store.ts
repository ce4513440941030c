import type { Connection } from "../db/pool.ts";
import type { Currency } from "../foundation/currencies.ts";
import { type CounterKind, counterAccount, counterKinds } from "./accounts.ts";

/** Opens an organization's wallet and its counter accounts in a currency, where they are missing. */
export async function openWallet(
  db: Connection,
  wallet: { organizationId: string; walletId: string; currency: Currency; now: Date },
): Promise<void> {
  const { organizationId, walletId, currency, now } = wallet;
  const kinds: CounterKind[] = [...counterKinds];
  await db.query(
    `insert into accounts (organization_id, account_id, kind, currency, created_at)
     select $1, account_id, kind, $2, $3 from unnest($4::text[], $5::text[]) as k(account_id, kind)
     on conflict do nothing`,
    [organizationId, currency, now, kinds.map((kind) => counterAccount(kind, currency)), kinds],
  );
  await db.query(
    `insert into accounts (organization_id, account_id, kind, currency, posted_minor, held_minor, created_at)
     values ($1, $2, 'Wallet', $3, 0, 0, $4) on conflict do nothing`,
    [organizationId, walletId, currency, now],
  );
}
