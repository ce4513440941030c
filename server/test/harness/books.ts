import { createPool, type Pool } from "../../src/db/pool.ts";
import type { Answer, Statement } from "../../src/db/trip.ts";
import type { Currency } from "../../src/foundation/currencies.ts";
import { newId } from "../../src/foundation/ids.ts";
import { openWallet } from "../../src/ledger/store.ts";
import { runStatements } from "./statements.ts";

/** A database with organizations and wallets in it, and nothing that runs. */
export interface Books {
  url: string;
  pool: Pool;
  openOrganization(): Promise<string>;
  openWallet(organizationId: string, currency: Currency): Promise<string>;
  /** What the engine would send on a lane. */
  run(...statements: Statement[]): Promise<Answer[]>;
  balanceOf(accountId: string): Promise<bigint | undefined>;
  close(): Promise<void>;
}

export function openBooks({ url, drop }: { url: string; drop(): Promise<void> }): Books {
  const pool = createPool(url, 5);
  return {
    url,
    pool,
    openOrganization: async () => {
      const organizationId = newId("org", Date.now());
      await pool.query(
        `insert into organizations (organization_id, name, webhook_secret_sealed, created_at)
         values ($1, 'Any', '', now())`,
        [organizationId],
      );
      return organizationId;
    },
    openWallet: async (organizationId, currency) => {
      const now = new Date();
      const walletId = newId("wal", now.getTime());
      await openWallet(pool, { organizationId, walletId, currency, now });
      return walletId;
    },
    run: (...statements) => runStatements(pool, ...statements),
    balanceOf: async (accountId) => {
      const { rows } = await pool.query<{ postedMinor: bigint }>(
        `select posted_minor as "postedMinor" from accounts where account_id = $1`,
        [accountId],
      );
      return rows[0]?.postedMinor;
    },
    close: async () => {
      await pool.end();
      await drop();
    },
  };
}
