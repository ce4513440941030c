import Fastify from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DatabaseProxy } from "../../test/harness/proxy.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { createPool, type Pool } from "../db/pool.ts";
import { healthRoutes } from "./health.ts";

let database: Awaited<ReturnType<typeof scratchDatabase>>;
let line: DatabaseProxy;
let pool: Pool;
beforeEach(async () => {
  database = await scratchDatabase();
  line = await DatabaseProxy.before(database.url);
  pool = createPool(line.url, 2);
});
afterEach(async () => {
  await pool.end();
  await line.close();
  await database.drop();
});

const works = { canWrite: async () => true };
const fails = { canWrite: async () => false };

async function readiness(engine = works, recorder = works, canRead = true): Promise<number> {
  const app = Fastify();
  const reads = { canRead: async () => canRead };
  healthRoutes(app, { pool, engine, recorder, reads, isAccepting: () => true });
  return (await app.inject("/readyz")).statusCode;
}

test("it is ready when its database takes writes, every writer's come through, and reads do", async () => {
  expect(await readiness()).toBe(200);
  expect(await readiness(fails, works)).toBe(503);
  expect(await readiness(works, fails)).toBe(503);
  expect(await readiness(works, works, false)).toBe(503);
});

test("whoever asks is answered before a connection is given up that nobody answers", async () => {
  line.goSilent();
  const connection = pool.query("select").catch(() => "given up");
  expect(await Promise.race([connection, readiness()])).toBe(503);
  await connection;
});
