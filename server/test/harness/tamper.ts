import type { Pool } from "../../src/db/pool.ts";

/** What only somebody with the rights of the owner could do, behind the back of every guard. */
export async function tamper(pool: Pool, sql: string): Promise<void> {
  const db = await pool.connect();
  try {
    await db.query("begin");
    await db.query("alter table postings disable trigger user");
    await db.query(sql);
    await db.query("alter table postings enable trigger user");
    await db.query("commit");
  } finally {
    db.release();
  }
}
