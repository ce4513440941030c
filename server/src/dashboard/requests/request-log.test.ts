import type { FastifyRequest } from "fastify";
import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Books, openBooks } from "../../../test/harness/books.ts";
import { scratchDatabase } from "../../../test/harness/scratch.ts";
import { newId } from "../../foundation/ids.ts";
import { createLog } from "../../foundation/log.ts";
import { RequestLog } from "./request-log.ts";
import { forgetRequests, insertRequests, listRequests } from "./store.ts";

let books: Books;
beforeEach(async () => {
  books = openBooks(await scratchDatabase());
});
afterEach(() => books.close());

const request = (url: string, reference = "r-1"): FastifyRequest =>
  ({
    id: newId("req", Date.now()),
    method: "GET",
    url,
    headers: {},
    caller: { organizationId: "org_1", claim: { reference } },
  }) as unknown as FastifyRequest;

const list = (filter = {}) => listRequests(books.pool, "org_1", filter, { limit: 1_000 });

test("under load the first answers of a stretch are noted, and the others counted", async () => {
  const registry = new Registry();
  const log = new RequestLog(books.pool, createLog({ level: "silent" }), registry);
  for (let i = 0; i < 500; i++) log.note(request("/api/v1/wallets"), 200, "000", 1);
  for (let i = 0; i < 20; i++) log.note(request("/api/v1/wallets"), 422, "116", 1);
  await log.stop();
  expect(await list({ outcome: "Succeeded" })).toHaveLength(50);
  // What fails is not crowded out by what succeeds.
  expect(await list({ outcome: "Failed" })).toHaveLength(20);
  expect(await registry.metrics()).toMatch(/florin_request_log_dropped_total 450/);
});

test("whatever clients put into paths and References, no number is kept whole", async () => {
  const log = new RequestLog(books.pool, createLog({ level: "silent" }), new Registry());
  const pan = "4111111111111111";
  log.note(request(`/api/v1/cards/${pan}?name=${pan}`, pan), 400, "112", 1);
  await log.stop();
  const [row] = await list();
  expect(row?.path).toMatch(/^\/api\/v1\/cards\//);
  expect(JSON.stringify(row)).not.toContain(pan);
});

test("what cannot be written is given up without harm", async () => {
  const log = new RequestLog(books.pool, createLog({ level: "silent" }), new Registry());
  await books.pool.query("drop table api_requests");
  log.note(request("/api/v1/wallets"), 200, "000", 1);
  await expect(log.stop()).resolves.toBeUndefined();
});

test("old answers are forgotten", async () => {
  const nowMs = Date.now();
  const at = (ageDays: number) => ({
    organizationId: "org_1",
    requestId: newId("req", nowMs - ageDays * 86_400_000),
    method: "GET",
    path: "/",
    reference: "",
    responseCode: "000",
    httpStatus: 200,
    durationMs: 1,
    at: new Date(),
  });
  const [fresh, old] = [at(6), at(8)];
  await insertRequests(books.pool, [fresh, old, { ...old, organizationId: "org_2" }]);
  await forgetRequests(books.pool, nowMs);
  const { rows } = await books.pool.query("select request_id as id from api_requests");
  expect(rows).toEqual([{ id: fresh.requestId }]);
});

test("of an organization that sends much, the latest 20,000 are kept", async () => {
  const insert = (organizationId: string, count: number) =>
    books.pool.query(
      `insert into api_requests (organization_id, request_id, method, path, reference, response_code,
         http_status, duration_ms, created_at)
       select $1, $2 || lpad(n::text, 10, '0'), 'GET', '/', '', '000', 200, 1, now()
         from generate_series(1, $3::int) n`,
      [organizationId, newId("req", Date.now()).slice(0, -10), count],
    );
  await insert("org_1", 20_003);
  await insert("org_2", 3);
  await forgetRequests(books.pool, Date.now());
  const { rows } = await books.pool.query(
    `select organization_id as id, count(*)::int, right(min(request_id), 10) as first
       from api_requests group by 1 order by 1`,
  );
  expect(rows).toEqual([
    { id: "org_1", count: 20_000, first: "0000000004" },
    { id: "org_2", count: 3, first: "0000000001" },
  ]);
});
