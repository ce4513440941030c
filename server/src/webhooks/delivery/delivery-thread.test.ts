import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { until } from "../../../test/harness/eventually.ts";
import { Receiver } from "../../../test/harness/receiver.ts";
import { ENDPOINT, WebhookBooks } from "../../../test/harness/webhook-books.ts";
import { createLog } from "../../foundation/log.ts";
import type { Candidate } from "./delivery.ts";
import { DeliveryThread, type DeliveryThreadOptions } from "./delivery-thread.ts";
import { releaseDeadSeats } from "./seat.ts";

let books: WebhookBooks;
const scratch = mkdtempSync(join(tmpdir(), "florin-test-thread-"));
let receiver: Receiver;
let thread: DeliveryThread;
let lines: string[];
let unseal: () => Promise<Buffer>;
beforeAll(async () => {
  books = await WebhookBooks.open();
});
afterAll(async () => {
  rmSync(scratch, { recursive: true });
  await books.close();
});
beforeEach(async () => {
  await books.begin();
  receiver = await Receiver.open();
  await books.openEndpoint();
  await books.pool.query("update webhook_endpoints set url = $1", [receiver.url]);
  lines = [];
  unseal = async () => Buffer.from("whsec_c2VjcmV0");
  thread = openThread();
});
afterEach(async () => {
  await thread.stop();
  await receiver.goDown();
});

function openThread(options: Partial<DeliveryThreadOptions> = {}): DeliveryThread {
  return new DeliveryThread({
    databaseUrl: books.url,
    reach: "PrivateToo",
    maxInHand: 16,
    isSandbox: true,
    unseal: () => unseal(),
    log: createLog({ level: "info", destination: { write: (line) => lines.push(line) } }),
    ...options,
  });
}

/** Has so many events sent. */
async function emit(count: number): Promise<void> {
  await books.emit(count);
  thread.notice([candidate()]);
}

const candidate = (): Candidate => ({
  organizationId: books.organizationId,
  webhookEndpointId: ENDPOINT,
  isFailing: false,
});

const count = async (table: string): Promise<bigint> =>
  (await books.pool.query(`select count(*) as count from ${table}`)).rows[0].count;

/** Why threads were replaced, by the log. */
const failures = (): unknown[] =>
  lines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === "the thread that sends deliveries failed; another takes over")
    .map(({ err }) => err);

/** Ends the thread as a mistake in it would. */
const fail = (): void => thread.notice([null as unknown as Candidate]);

test("it sends what it is told of, measures it, and leaves nothing behind", async () => {
  thread.start();
  await emit(20);
  const messages = await receiver.until(20);
  expect(messages[0]?.headers["webhook-signature"]).toMatch(/^v1,/);
  await until("all is recorded", async () => (await count("webhook_deliveries")) === 0n);
  expect(await thread.metrics()).toContain(
    'florin_webhook_attempts_total{outcome="acknowledged"} 20\n',
  );
  await thread.stop();
  expect(await count("webhook_workers")).toBe(0n);
  expect(lines).toEqual([]);
});

test("where it is not started it never begins, whatever it is told", async () => {
  thread.notice([candidate()]);
  thread.look();
  expect(thread.faults).toBeUndefined();
  expect(thread.isAtWork).toBe(false);
  expect(await thread.metrics()).toBe("");
});

test("it can be begun before there is anything, and waited for", async () => {
  await thread.prepare();
  expect(thread.isAtWork).toBe(false);
  thread.start();
  await thread.prepare();
  expect(await thread.metrics()).toContain("florin_webhook_attempts_in_flight 0");
});

test("it begins when there is something to do for the first time, and finds what was left to do", async () => {
  await books.emit(1);
  thread.start();
  thread.followClock(60_000);
  expect(thread.isAtWork).toBe(false);
  thread.look();
  expect(thread.isAtWork).toBe(true);
  await receiver.until(1);
});

test("should it fail, another takes over, at the time that it had, and has what was in hand", async () => {
  receiver.answerWith(() => undefined);
  thread.start();
  thread.followClock(60_000);
  await emit(1);
  await receiver.until(1);
  fail();
  await until("it has failed", () => failures().length > 0);
  expect(failures()).toEqual([expect.objectContaining({ type: "TypeError" })]);
  receiver.answerWith(200);
  await until("its seat is empty", async () => (await releaseDeadSeats(books.pool)) === 1);
  // Due in a minute: another that had the time of this machine would leave it.
  await books.pool.query("update webhook_deliveries set due_at = now() + interval '50 seconds'");
  await receiver.until(2);
  expect(receiver.ids).toHaveLength(1);
  await until("it is recorded", async () => (await count("webhook_deliveries")) === 0n);
});

test("what waits for an answer of a thread that fails hears so, and a stop then ends it for good", async () => {
  thread.start();
  const faults = thread.faults;
  expect(thread.isAtWork).toBe(true);
  const asked = thread.metrics();
  fail();
  await asked;
  await until("it has failed", () => lines.length > 0);
  await expect(faults?.list("org_1")).rejects.toThrow("has ended");
  await thread.stop();
  expect(await thread.metrics()).toBe("");
});

test("one that cannot be opened, or hangs, holds nobody up", async () => {
  const hangs = join(scratch, "hangs.js");
  writeFileSync(hangs, "for (const end = Date.now() + 5_000; Date.now() < end; );");
  for (const file of ["nowhere.js", hangs]) {
    thread = openThread({ file });
    thread.start();
    thread.look();
    thread.notice([candidate()]);
    await thread.prepare();
    expect(thread.faults === undefined).toBe(file !== hangs);
    expect(await thread.metrics()).toBe("");
    await thread.stop();
  }
});

test("a fault that is set after a failure does not wait for its end, nor is it lost", async () => {
  thread.start();
  thread.look();
  await thread.faults?.list("org_1");
  fail();
  await until("it has failed", () => failures().length > 0);
  await thread.faults?.set("org_1", { fault: "DropDeliveries", count: 3 });
  expect(await thread.faults?.list("org_1")).toEqual([{ fault: "DropDeliveries", count: 3 }]);
});

test("what it has to say comes into the service's log; secrets are not opened in it", async () => {
  unseal = async () => {
    throw new Error("no such key");
  };
  thread.start();
  await emit(1);
  await until("it complains", () => lines.length > 0);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: 50,
    msg: "the secret of an endpoint cannot be opened",
    webhookEndpointId: ENDPOINT,
    err: { message: "no such key" },
  });
  expect(receiver.received).toEqual([]);
});

test("faults of deliveries are set in it before the next is made", async () => {
  thread.start();
  await thread.faults?.set(books.organizationId, { fault: "DuplicateDeliveries", count: 2 });
  await emit(1);
  await receiver.until(2);
  expect(await thread.faults?.list(books.organizationId)).toEqual([
    { fault: "DuplicateDeliveries", count: 1 },
  ]);
  await thread.faults?.clear(books.organizationId);
  expect(await thread.faults?.list(books.organizationId)).toEqual([]);
});
