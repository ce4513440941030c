import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { bytesArray, numberArray, textArray } from "./arrays.ts";
import { createPool, type Pool } from "./pool.ts";

let pool: Pool;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await scratchDatabase();
  pool = createPool(database.url, 1);
  drop = database.drop;
});
afterAll(async () => {
  await pool.end();
  await drop();
});

async function roundTrip(literal: string, type: string): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select value from unnest($1::${type}[]) with ordinality as k(value, n) order by n`,
    [literal],
  );
  return rows.map((row) => row.value);
}

test("PostgreSQL reads back any text, also what looks like array syntax", async () => {
  const text = fc.oneof(
    fc.constantFrom(null, "", "null", "{}", '"', "\\", "a,b", '\\"', " x ", "☃"),
    fc.string({ unit: "grapheme" }).map((value) => value.replaceAll("\0", "")),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(text), async (values) => {
      expect(await roundTrip(textArray(values), "text")).toEqual(values);
    }),
  );
});

test("PostgreSQL reads back any 64-bit integer", async () => {
  const int8 = fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }));
  await fc.assert(
    fc.asyncProperty(fc.array(int8), async (values) => {
      expect(await roundTrip(numberArray(values), "bigint")).toEqual(values);
    }),
  );
});

test("PostgreSQL reads back any bytes", async () => {
  const bytes = fc.option(fc.uint8Array().map((array) => Buffer.from(array)));
  await fc.assert(
    fc.asyncProperty(fc.array(bytes), async (values) => {
      expect(await roundTrip(bytesArray(values), "bytea")).toEqual(values);
    }),
  );
});
