import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { until } from "../../test/harness/eventually.ts";
import { DatabaseProxy } from "../../test/harness/proxy.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { isUnavailable } from "./errors.ts";
import { Lane, type Statement } from "./lane.ts";

let books: Books;
let lane: Lane;
let proxy: DatabaseProxy | undefined;
let name = "";
let opened = 0;
beforeAll(async () => {
  books = openBooks(await scratchDatabase());
});
afterAll(() => books.close());
beforeEach(() => {
  lane = open(books.url);
});
afterEach(async () => {
  vi.useRealTimers();
  await lane.close();
  await proxy?.close();
  proxy = undefined;
});

/** Each test's connections have a name of their own, to be counted by. */
function open(connectionString: string, durable = true): Lane {
  name = `test-${++opened}`;
  return new Lane({ connectionString, name, durable });
}

const statement = (text: string, name = ""): Statement => ({ name, text });

async function ask(text: string): Promise<unknown> {
  const [result] = await lane.send([statement(text)]);
  return Object.values(result?.rows[0] ?? {})[0];
}

async function backends(): Promise<{ pid: number; state: string; query: string }[]> {
  const { rows } = await books.pool.query(
    "select pid, state, query from pg_stat_activity where application_name = $1",
    [`florin-${name}`],
  );
  return rows;
}

async function terminateBackends(): Promise<void> {
  const found = await backends();
  await Promise.all(
    found.map(({ pid }) => books.pool.query("select pg_terminate_backend($1, 5000)", [pid])),
  );
}

/** The very next statement may still meet the broken connection. */
const untilItWorks = () =>
  until("the lane works again", () =>
    ask("select 1").then(
      (answer) => answer === 1,
      () => false,
    ),
  );

test("statements sent together are answered in their order", async () => {
  const results = await lane.send([1, 2, 3].map((n) => statement(`select ${n} as n`)));
  expect(results.map(({ rows }) => rows[0].n)).toEqual([1, 2, 3]);
});

test("money comes as bigint, beyond what a double can count", async () => {
  expect(await ask("select 9007199254740993::bigint")).toBe(9_007_199_254_740_993n);
});

test("the first failure is thrown when all are answered; the connection is good for the next", async () => {
  const failing = lane.send([
    statement("begin"),
    statement("select 1 / 0"),
    statement("select * from nowhere"),
    statement("commit"),
  ]);
  await expect(failing).rejects.toMatchObject({ code: "22012" });
  expect(await ask("select pg_current_xact_id_if_assigned() is null")).toBe(true);
  expect(await backends()).toHaveLength(1);
});

test("what comes after a failure is skipped, and nothing of it stays", async () => {
  await books.pool.query("create table skipped (n int)");
  const failing = lane.send([
    statement("begin"),
    statement("insert into skipped values (1)", "skipped_insert"),
    statement("select 1 / 0"),
    statement("insert into skipped values (2)", "skipped_late"),
    statement("commit"),
  ]);
  await expect(failing).rejects.toMatchObject({ code: "22012" });
  await lane.send([statement("insert into skipped values (3)", "skipped_late_again")]);
  const { rows } = await books.pool.query("select n from skipped");
  expect(rows).toEqual([{ n: 3 }]);
  // Neither knows for sure whether the statement behind the failure was prepared; both work.
  await lane.send([statement("insert into skipped values (2)", "skipped_late")]);
  expect(await ask("select count(*)::int from skipped")).toBe(2);
});

test("a statement used twice in one trip is prepared once, and both are answered", async () => {
  const twice = (n: number): Statement => ({
    name: "twice",
    text: "select $1::int as n, $2::bytea as bytes, $3::timestamptz as at, $4::bool as yes",
    values: [n, Buffer.from([n]), new Date(n), true],
  });
  const results = await lane.send([twice(1), twice(2)]);
  const rowOf = (n: number) => ({ n, bytes: Buffer.from([n]), at: new Date(n), yes: true });
  expect(results.map(({ rows }) => rows)).toEqual([[rowOf(1)], [rowOf(2)]]);
});

test("trips of several senders go one after another", async () => {
  const answers = await Promise.all([1, 2, 3, 4].map((n) => ask(`select ${n}`)));
  expect(answers).toEqual([1, 2, 3, 4]);
});

test("a prepared statement that failed at first works later", async () => {
  const prepared: Statement = {
    name: "later",
    text: "select n from later where n = $1",
    values: [1],
  };
  await expect(lane.send([prepared])).rejects.toMatchObject({ code: "42P01" });
  await books.pool.query("create table later as select 1 as n");
  expect((await lane.send([prepared]))[0]?.rows).toEqual([{ n: 1 }]);
  expect((await lane.send([prepared]))[0]?.rows).toEqual([{ n: 1 }]);
});

test.each([
  [true, "on"],
  [false, "off"],
])("durable %s commits with synchronous_commit %s", async (durable, expected) => {
  lane = open(books.url, durable);
  expect(await ask("show synchronous_commit")).toBe(expected);
});

test("nothing waits for ever: locks, statements and idle transactions have bounds", async () => {
  for (const bound of [
    "lock_timeout",
    "statement_timeout",
    "idle_in_transaction_session_timeout",
  ]) {
    expect(await ask(`show ${bound}`)).toMatch(/^\d+s$/);
  }
});

test("a connection that breaks is replaced by one, however often and whenever it breaks", async () => {
  for (let round = 0; round < 5; round++) {
    const interrupted = lane.send([statement("select pg_sleep(20)")]);
    interrupted.catch(() => undefined);
    await until("the statement runs", async () =>
      (await backends()).some(({ state }) => state === "active"),
    );
    await terminateBackends();
    await expect(interrupted).rejects.toSatisfy(isUnavailable);
    await untilItWorks();
  }
  expect(await backends()).toHaveLength(1);
});

test("the end of an old connection is not taken for the end of its successor", async () => {
  proxy = await DatabaseProxy.before(books.url);
  lane = open(proxy.url);
  await ask("select 1");
  proxy.holdAnswers();
  const answered = ask("select 2");
  await until("the statement is done", async () => {
    const [backend] = await backends();
    return backend?.state === "idle" && backend.query === "select 2";
  });
  await terminateBackends();
  // The answer and the farewell arrive in one piece, and the next statement goes out at once.
  proxy.releaseAnswers();
  await answered;
  await untilItWorks();
  for (let turn = 0; turn < 20; turn++) await ask("select 4");
  expect(await backends()).toHaveLength(1);
});

test("a connection that breaks while idle is replaced at its next use", async () => {
  await ask("select 1");
  await terminateBackends();
  await untilItWorks();
  expect(await backends()).toHaveLength(1);
});

test("a database that is away makes each use fail, until it is back", async () => {
  proxy = await DatabaseProxy.before(books.url);
  lane = open(proxy.url);
  proxy.goDown();
  await expect(ask("select 1")).rejects.toSatisfy(isUnavailable);
  await expect(ask("select 1")).rejects.toSatisfy(isUnavailable);
  proxy.comeUp();
  expect(await ask("select 1")).toBe(1);
});

test.each(["before it is connected", "once it is connected"])(
  "a database that falls silent %s is unavailable, and found again when it is back",
  async (when) => {
    proxy = await DatabaseProxy.before(books.url);
    lane = open(proxy.url);
    if (when === "once it is connected") await ask("select 1");
    proxy.goSilent();

    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const lost = lane.send([statement("select 1"), statement("select 2")]);
    lost.catch(() => undefined);
    await new Promise(setImmediate);
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    await expect(lost).rejects.toSatisfy(isUnavailable);

    proxy.comeUp();
    await untilItWorks();
  },
);

test("a connection that fell silent while it was idle costs nobody an answer", async () => {
  proxy = await DatabaseProxy.before(books.url);
  lane = open(proxy.url);
  await ask("select 1");
  proxy.goSilent();
  proxy.comeUp();

  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  vi.advanceTimersByTime(3_600_000);
  const asked = ask("select 2");
  await new Promise(setImmediate);
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  expect(await asked).toBe(2);
});

test("closing ends the connection, and a lane that was never used has none to end", async () => {
  const unused = new Lane({ connectionString: books.url, name: "unused", durable: true });
  await unused.close();
  await ask("select 1");
  await lane.close();
  await until("the connection is gone", async () => (await backends()).length === 0);
});

test("a close does not wait for a farewell that never comes", async () => {
  const pid = Number(await ask("select pg_backend_pid()"));
  process.kill(pid, "SIGSTOP");
  onTestFinished(() => void process.kill(pid, "SIGCONT"));
  await expect(lane.close()).resolves.toBeUndefined();
}, 20_000);
