import { Engine } from "../../src/engine/engine.ts";
import { ServiceClock } from "../../src/foundation/clock.ts";
import type { Account } from "../../src/ledger/accounts.ts";
import type { Claim } from "../../src/references/claim.ts";
import { deposit } from "../../src/wallets/deposit.ts";
import { type Books, openBooks } from "./books.ts";
import { scratchDatabase } from "./scratch.ts";

/** An engine of one lane on books of its own, and a wallet to put money into. */
export interface Till {
  books: Books;
  organizationId: string;
  walletId: string;
  engine: Engine;
  /** The sizes of the batches so far. */
  batches: number[];
  openEngine(lanes: number): Engine;
  put(amountMinor: bigint, as?: Claim): Promise<Account>;
  balance(): Promise<bigint | undefined>;
  /** The wallet's row is locked by somebody else for as long as `work` takes. */
  whileLocked<T>(work: () => Promise<T>): Promise<T>;
  /** The engines' connections that wait for a lock. */
  lockWaiters(): Promise<number[]>;
  close(): Promise<void>;
}

export async function openTill(): Promise<Till> {
  const books = openBooks(await scratchDatabase());
  const organizationId = await books.openOrganization();
  const walletId = await books.openWallet(organizationId, "USD");
  const batches: number[] = [];
  const openEngine = (lanes: number): Engine =>
    new Engine({
      connectionString: books.url,
      name: "test",
      lanes,
      durable: true,
      clock: new ServiceClock(),
      onBatch: (size) => batches.push(size),
    });
  const engine = openEngine(1);
  return {
    books,
    organizationId,
    walletId,
    engine,
    batches,
    openEngine,
    put: (amountMinor, as) => {
      const input = { entryId: "jrn_1", walletId, currency: "USD" as const, amountMinor };
      return engine.run(deposit, organizationId, input, as);
    },
    balance: () => books.balanceOf(walletId),
    whileLocked: async (work) => {
      const holder = await books.pool.connect();
      await holder.query("begin");
      await holder.query("select from accounts where account_id = $1 for update", [walletId]);
      try {
        return await work();
      } finally {
        await holder.query("rollback");
        holder.release();
      }
    },
    lockWaiters: async () => {
      const { rows } = await books.pool.query<{ pid: number }>(
        `select pid from pg_stat_activity
          where datname = current_database() and application_name like 'florin-test%'
            and wait_event_type = 'Lock'`,
      );
      return rows.map(({ pid }) => pid);
    },
    close: async () => {
      await engine.stop();
      await books.close();
    },
  };
}

export const settled = <T>(work: Promise<T>[]): Promise<("fulfilled" | "rejected")[]> =>
  Promise.allSettled(work).then((all) => all.map(({ status }) => status));
