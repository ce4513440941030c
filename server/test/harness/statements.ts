import type { Pool } from "../../src/db/pool.ts";
import { type Answer, type Statement, sendOn } from "../../src/db/trip.ts";

/** Sends what the engine would send on a lane. */
export async function runStatements(pool: Pool, ...statements: Statement[]): Promise<Answer[]> {
  const client = await pool.connect();
  try {
    return await sendOn(client, statements);
  } finally {
    client.release();
  }
}
