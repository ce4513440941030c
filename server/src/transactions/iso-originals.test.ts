import { afterAll, beforeAll, expect, test } from "vitest";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { createPool, type Pool } from "../db/pool.ts";
import { IS_INDEXED } from "./iso-originals.ts";

let database: Awaited<ReturnType<typeof scratchDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await scratchDatabase();
  pool = createPool(database.url, 1);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

// Those of natural languages sort punctuation before digits, and a database may have been made with one.
test.each(["C", "en-x-icu"])(
  "a payment by ISO 8583 is in the indexes, by the order of %s too",
  async (collation) => {
    const reference = "12345ABCDEFGHIJKL0000010301120000";
    const { rows } = await pool.query<{ isIndexed: boolean }>(
      `select ${IS_INDEXED} as "isIndexed" from (select $1::text collate "${collation}" as network_reference) t`,
      [reference],
    );
    expect(rows).toEqual([{ isIndexed: true }]);
  },
);

test("the indexes hold what the look-ups ask for", async () => {
  const { rows } = await pool.query<{ predicate: string }>(
    `select pg_get_expr(indpred, indrelid) as predicate from pg_index
      where indexrelid = any('{transactions_by_network_trace,transactions_by_retrieval}'::regclass[])`,
  );
  expect(rows).toHaveLength(2);
  for (const { predicate } of rows) expect(predicate).toContain('network_reference COLLATE "C"');
});
