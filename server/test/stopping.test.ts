import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool, type Pool } from "../src/db/pool.ts";
import { until } from "./harness/eventually.ts";
import { lockWaiters } from "./harness/lock-waiters.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
let pool: Pool;
beforeAll(async () => {
  service = await startTestService();
  pool = createPool(service.databaseUrl, 2);
});
afterAll(() => pool.end());

test("what is under way when a stop begins is answered, and told that its connection ends", async () => {
  const { client } = service;
  const deposit = (amount: number) =>
    client.post("/simulator/wallets/deposits", { currency: "USD", amount });
  expect((await deposit(1)).headers.get("connection")).toBe("keep-alive");

  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query("select from accounts where kind = 'Wallet' for update");
  const accepted = deposit(2);
  await until("the deposit waits", async () => (await waiters()) > 0);
  const stopped = service.stop();
  await until("nobody is let in any more", () => isClosed(service.sandbox.apiUrl));
  await holder.query("rollback");
  holder.release();

  const answer = await accepted;
  expect(answer.status).toBe(200);
  expect(answer.headers.get("connection")).toBe("close");
  await stopped;
});

test("who does not come to an end does not hold up the stop: its connection is cut", async () => {
  const another = await startTestService();
  const { client, sandbox } = another;
  const target = "/api/v1/simulator/wallets/deposits";
  const headers = {
    ...(await client.headers("POST", sandbox.apiUrl + target)),
    "Content-Type": "application/json",
    "Content-Length": "30",
    // The answer to it says that the request has arrived.
    Expect: "100-continue",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(new URL(sandbox.apiUrl).port), "127.0.0.1");
  socket.on("error", () => undefined);
  const cut = once(socket, "close");
  socket.write(`POST ${target} HTTP/1.1\r\n${lines.join("")}\r\n`);
  expect(String(await once(socket, "data"))).toContain("100 Continue");
  socket.write('{"currency"');

  await another.stop();
  await cut;
});

const isClosed = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`, { headers: { connection: "close" } }).then(
    () => false,
    () => true,
  );

const waiters = (): Promise<number> => lockWaiters(pool, "florin-%");
