import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { verdict } from "./harness/answers.ts";
import type { ApiClient } from "./harness/api-client.ts";
import { until } from "./harness/eventually.ts";
import { foundOrganization, openOperator } from "./harness/operator.ts";
import { Receiver } from "./harness/receiver.ts";
import { startTestService, type TestService } from "./harness/service.ts";

/** Little, so that it is soon used up. */
const ROOM = 16;
/** As long as makes an answer slow. */
const SLOW_MS = 1_100;

let service: TestService;
let receivers: Receiver[] = [];
beforeAll(async () => {
  service = await startTestService({ FLORIN_WEBHOOK_DELIVERIES: String(ROOM) });
});
afterEach(async () => {
  await forgetEndpoints(service.client);
  await Promise.all(receivers.map((receiver) => receiver.goDown()));
  receivers = [];
});
afterAll(() => service.stop());

async function forgetEndpoints(client: ApiClient): Promise<void> {
  const { body } = await client.get("/webhook-endpoints?limit=100");
  for (const { webhookEndpointId } of body.data) {
    await client.call("DELETE", `/webhook-endpoints/${webhookEndpointId}`);
  }
}

async function open(answer?: Parameters<Receiver["answerWith"]>[0]): Promise<Receiver> {
  const receiver = await Receiver.open();
  if (answer !== undefined) receiver.answerWith(answer);
  receivers.push(receiver);
  const made = await service.client.post("/webhook-endpoints", { url: receiver.url });
  expect(verdict(made)).toBe("200/000");
  return receiver;
}

async function deposit(times: number): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: times }, () =>
      service.client.post("/simulator/wallets/deposits", { currency: "USD", amount: 1 }),
    ),
  );
  expect(new Set(answers.map(verdict))).toEqual(new Set(["200/000"]));
}

const never = () => undefined;

test("an endpoint that never answers delays no other, however much there is to send", async () => {
  const silent = await open(never);
  const good = await open();
  await deposit(200);
  await good.until(200);
  expect(good.received).toHaveLength(200);
  // It was called a few times and has not answered yet: its own deliveries wait, and nobody else's.
  await silent.until(1);
  expect(silent.received.length).toBeLessThanOrEqual(4);
});

test("many endpoints known to be bad delay no other", async () => {
  const broken = await Promise.all(Array.from({ length: 20 }, () => open(500)));
  await deposit(1);
  await Promise.all(broken.map((receiver) => receiver.until(1)));
  for (const receiver of broken) receiver.answerWith(never);
  const good = await open();
  await deposit(100);
  await good.until(100);
  expect(new Set(good.ids).size).toBe(100);
});

test("many endpoints that were slow the last time delay no other, even if they have acknowledged it", async () => {
  const slowly: Parameters<Receiver["answerWith"]>[0] = (response) =>
    void setTimeout(() => response.writeHead(200).end(), SLOW_MS);
  const slow = await Promise.all(Array.from({ length: 20 }, () => open(slowly)));
  await deposit(1);
  await Promise.all(slow.map((receiver) => receiver.until(1)));
  await until("all have acknowledged", async () => {
    const { body } = await service.client.get(`/events/${slow[0]?.ids[0]}`);
    return body.data.attempts.length === slow.length;
  });
  for (const receiver of slow) receiver.answerWith(never);
  const good = await open();
  await deposit(100);
  await good.until(100);
  // They wait in half of the room, and not in all of it.
  const waiting = slow.filter(({ received }) => received.length > 1).length;
  expect(waiting).toBeLessThan(ROOM);
});

test("endpoints of which nothing is known yet, and that never answer, delay no other organization", async () => {
  const operator = await openOperator(service);
  const { client } = await foundOrganization(operator, service);
  await operator.close();
  const good = await Receiver.open();
  receivers.push(good);
  await client.post("/webhook-endpoints", { url: good.url });
  const silent = await Promise.all(Array.from({ length: 6 }, () => open(never)));
  await deposit(8);
  await silent[0]?.until(1);
  const deposited = { currency: "USD", amount: 1 };
  expect(verdict(await client.post("/simulator/wallets/deposits", deposited))).toBe("200/000");
  await good.until(1);
  // None of them has been given up to make room.
  const tried = silent.flatMap(({ ids }) => ids);
  const events = await Promise.all(tried.map((id) => service.client.get(`/events/${id}`)));
  expect(events.flatMap(({ body }) => body.data.attempts)).toEqual([]);
});

test("an endpoint that fails fast, is cut off, redirects or talks without end delays no other", async () => {
  await open(500);
  await open((response) => response.socket?.destroy());
  const elsewhere = await Receiver.open();
  receivers.push(elsewhere);
  await open((response) => response.writeHead(307, { location: elsewhere.url }).end());
  const endless = await open((response) => {
    const more = () => response.write("x".repeat(65_536));
    response.on("drain", more).writeHead(200);
    more();
  });
  const good = await open();
  await deposit(100);
  await good.until(100);
  // A 2xx acknowledges, whatever follows it; nobody waits for the end of it.
  await endless.until(100);
  await until("each is acknowledged", async () => {
    const { body } = await service.client.get(`/events/${endless.ids.at(-1)}`);
    return (
      body.data.attempts.filter((a: { httpStatus: number }) => a.httpStatus === 200).length >= 2
    );
  });
  expect(elsewhere.received).toEqual([]);
});

test("a receiver is not called more often at once than it can bear", async () => {
  let open_ = 0;
  let most = 0;
  const careful = await open((response) => {
    open_ += 1;
    most = Math.max(most, open_);
    setTimeout(() => {
      open_ -= 1;
      response.writeHead(200).end();
    }, 5);
  });
  await deposit(300);
  await careful.until(300);
  expect(careful.received).toHaveLength(300);
  expect(most).toBeLessThanOrEqual(32);
  // Connections are used again.
  expect(careful.connections).toBeLessThan(100);
});

test("while nothing can be recorded no more goes out than may be in hand: that is all a crash repeats", async () => {
  const operator = await openOperator(service);
  const good = await open();
  const holder = await operator.pool.connect();
  try {
    await holder.query("begin");
    await holder.query("lock table webhook_attempts in exclusive mode");
    await deposit(3 * ROOM);
    // An organization may have three quarters of what there is.
    await good.until((ROOM * 3) / 4);
    await pause(500);
    expect(good.received).toHaveLength((ROOM * 3) / 4);
    await holder.query("commit");
  } finally {
    holder.release();
  }
  await good.until(3 * ROOM);
  expect(good.ids).toHaveLength(3 * ROOM);
  await operator.close();
});
