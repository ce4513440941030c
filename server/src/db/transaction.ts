import type pg from "pg";
import type { Pool } from "./pool.ts";

/** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
export async function transaction<T>(
  pool: Pool,
  work: (tx: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const tx = await pool.connect();
  let broken: Error | undefined;
  try {
    await tx.query("begin");
    const result = await work(tx);
    await tx.query("commit");
    return result;
  } catch (error) {
    await tx.query("rollback").catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    tx.release(broken);
  }
}
