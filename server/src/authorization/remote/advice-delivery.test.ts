import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Books, openBooks } from "../../../test/harness/books.ts";
import { until } from "../../../test/harness/eventually.ts";
import { lockWaiters } from "../../../test/harness/lock-waiters.ts";
import { scratchDatabase } from "../../../test/harness/scratch.ts";
import { createLog } from "../../foundation/log.ts";
import type { GuardedAgent } from "../../outbound/agent.ts";
import { failed, type Outcome } from "../../outbound/outcome.ts";
import type { SettingsBook } from "../settings/settings-book.ts";
import { type AdviceDeps, adviceDelivery } from "./advice-delivery.ts";
import { type AdviceTurn, endTurn, nextTurnInMs, takeTurns } from "./advice-store.ts";
import { advices } from "./advices.ts";
import type { RemoteMessage } from "./message.ts";

const NOW = new Date("2026-01-31T12:00:00.000Z");
const HOUR_MS = 3_600_000;
const EVERYBODY = { running: new Map(), perOrganization: 10 };

let books: Books;
let outcome: Outcome;
let deps: AdviceDeps;

beforeAll(async () => {
  books = openBooks(await scratchDatabase());
  const signer = { sign: () => "v1,none" };
  deps = {
    pool: books.pool,
    clock: { now: () => NOW, nowMs: () => NOW.getTime() },
    agent: { post: async () => outcome } as Partial<GuardedAgent> as GuardedAgent,
    settings: {
      find: async () => ({ advised: { url: "https://example.com/", signer } }),
    } as unknown as SettingsBook,
    log: createLog({ level: "silent" }),
  };
});
afterAll(() => books.close());
beforeEach(async () => {
  await books.pool.query("truncate authorization_advices, authorization_advice_queues");
});

const answered = (status: number, retryAfter?: string): Outcome => ({
  isAnswer: true,
  status,
  ...(retryAfter === undefined ? {} : { retryAfter }),
  body: Buffer.alloc(0),
  truncated: false,
  durationMs: 1,
});

/** What an operation writes when a card has something to tell. */
function adding(requestId: string, cardId = "card_1", organizationId = "org_1") {
  const message = { requestId, cardId } as RemoteMessage;
  const row = { organizationId, requestId, cardId, message, createdAt: NOW };
  const statement = advices.insert?.([row]);
  if (statement === undefined) throw new Error("Advices cannot be inserted.");
  return statement;
}

const turnOf = (attempts: number): AdviceTurn => ({
  organizationId: "org_1",
  cardId: "card_1",
  attempts,
});

const queueOf = async (cardId = "card_1") => {
  const { rows } = await books.pool.query<{ attempts: number; dueInMs: number }>(
    `select attempts, (extract(epoch from due_at - $2) * 1000)::float8 as "dueInMs"
       from authorization_advice_queues where card_id = $1`,
    [cardId, NOW],
  );
  return rows[0];
};

/** What becomes of a card's turn that has failed so often before. */
async function turnAfter(attempts: number) {
  await books.run(adding("req_1"));
  await adviceDelivery(deps).run(turnOf(attempts), new AbortController().signal);
  return queueOf();
}

test("a receiver may ask for more time", async () => {
  outcome = answered(503, "7200");
  expect(await turnAfter(0)).toEqual({ attempts: 1, dueInMs: 2 * HOUR_MS });
});

test("however often it fails, it is tried about once a day", async () => {
  outcome = answered(500);
  const turn = await turnAfter(20);
  expect(turn?.attempts).toBe(21);
  expect(turn?.dueInMs).toBeGreaterThan(19 * HOUR_MS);
  expect(turn?.dueInMs).toBeLessThanOrEqual(24 * HOUR_MS);
});

test("what a stop cut short has not failed, and is tried at once by the next process", async () => {
  outcome = failed("Stopped", 1);
  expect(await turnAfter(3)).toEqual({ attempts: 3, dueInMs: 0 });
});

test("the next advice has all its attempts before it", async () => {
  await books.run(adding("req_2"));
  outcome = answered(200);
  expect(await turnAfter(3)).toEqual({ attempts: 0, dueInMs: 0 });
});

test("an advice that is added while its card's turn ends is not left behind", async () => {
  await books.run(adding("req_1"));
  const tx = await books.pool.connect();
  try {
    await tx.query("begin");
    const { text, values } = adding("req_2");
    await tx.query(text, values);
    const ending = endTurn(books.pool, turnOf(0), { requestId: "req_1", isGivenUp: false }, NOW);
    const isWaiting = async () => (await lockWaiters(books.pool)) === 1;
    await until("it waits for the one that is being added", isWaiting);
    await tx.query("commit");
    await ending;
  } finally {
    tx.release();
  }
  expect(await takeTurns(books.pool, NOW, 10, EVERYBODY)).toEqual([turnOf(0)]);
});

test("a turn is one worker's until its lease is over", async () => {
  await books.run(adding("req_1"));
  expect(await takeTurns(books.pool, NOW, 10, EVERYBODY)).toHaveLength(1);
  expect(await takeTurns(books.pool, NOW, 10, EVERYBODY)).toEqual([]);
  expect(await nextTurnInMs(books.pool, NOW, [])).toBeUndefined();
  await books.pool.query("update authorization_advice_queues set lease_until = clock_timestamp()");
  expect(await nextTurnInMs(books.pool, NOW, [])).toBe(0);
  expect(await takeTurns(books.pool, NOW, 10, EVERYBODY)).toHaveLength(1);
});

test("no organization has more than its share, with what it has already", async () => {
  for (const organizationId of ["org_1", "org_2", "org_3"]) {
    for (const n of [1, 2, 3]) {
      await books.run(adding(`req_${n}`, `card_${n}`, organizationId));
    }
  }
  const fairness = {
    running: new Map([
      ["org_2", 2],
      ["org_3", 1],
    ]),
    perOrganization: 2,
  };
  const turns = await takeTurns(books.pool, NOW, 10, fairness);
  expect(turns.map(({ organizationId }) => organizationId).toSorted()).toEqual([
    "org_1",
    "org_1",
    "org_3",
  ]);
  expect(await nextTurnInMs(books.pool, NOW, ["org_1", "org_2", "org_3"])).toBeUndefined();
});
