import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import pg from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { newClaim } from "../../test/harness/claims.ts";
import { eventually, until } from "../../test/harness/eventually.ts";
import { DatabaseProxy } from "../../test/harness/proxy.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { startEmbedded } from "../db/embedded/embedded.ts";
import { identify } from "../db/embedded/process.ts";
import { isUnavailable } from "../db/errors.ts";
import { migrate } from "../db/migrate.ts";
import { ServiceClock } from "../foundation/clock.ts";
import type { Account } from "../ledger/accounts.ts";
import { audit } from "../ledger/audit/audit.ts";
import type { Claim } from "../references/claim.ts";
import { deposit } from "../wallets/deposit.ts";
import { Engine } from "./engine.ts";

/** An engine that reaches its database through a proxy, and a wallet to put money into. */
interface Scene {
  books: Books;
  proxy: DatabaseProxy;
  walletId: string;
  organizationId: string;
  put(amountMinor: bigint, as?: Claim): Promise<Account>;
}

let cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const step of cleanUps.reverse()) await step();
  cleanUps = [];
});

async function setScene(books: Books): Promise<Scene> {
  cleanUps.push(() => books.close());
  const proxy = await DatabaseProxy.before(books.url);
  cleanUps.push(() => proxy.close());
  const engine = openEngine(proxy.url);
  const organizationId = await books.openOrganization();
  const walletId = await books.openWallet(organizationId, "USD");
  const put = (amountMinor: bigint, as?: Claim): Promise<Account> => {
    const input = { entryId: "jrn_1", walletId, currency: "USD" as const, amountMinor };
    return engine.run(deposit, organizationId, input, as);
  };
  await put(1n);
  return { books, proxy, walletId, organizationId, put };
}

function openEngine(connectionString: string): Engine {
  const engine = new Engine({
    connectionString,
    name: "test",
    lanes: 1,
    durable: true,
    clock: new ServiceClock(),
  });
  cleanUps.push(() => engine.stop());
  return engine;
}

test("a commit whose answer is lost is a success, and happened once", async () => {
  const { books, proxy, walletId, put } = await setScene(openBooks(await scratchDatabase()));
  const lost = proxy.atNextCommit("answer lost");
  const work = Promise.all([put(10n, newClaim()), put(100n, newClaim())]);
  await lost;
  expect((await work).map(({ postedMinor }) => postedMinor)).toEqual([11n, 111n]);
  expect(await books.balanceOf(walletId)).toBe(111n);
  expect((await audit(books.pool)).problems).toEqual([]);
});

test("a commit that never arrives is no success, and its Reference may be tried again", async () => {
  const { books, proxy, walletId, put } = await setScene(openBooks(await scratchDatabase()));
  const mine = newClaim();
  const lost = proxy.atNextCommit("request lost");
  const [outcome] = await Promise.allSettled([put(10n, mine), lost]);
  expect(await books.balanceOf(walletId)).toBe(outcome?.status === "fulfilled" ? 11n : 1n);
  if (outcome?.status === "rejected") {
    expect(outcome.reason).toSatisfy(isUnavailable);
    await put(10n, mine);
  }
  expect(await books.balanceOf(walletId)).toBe(11n);
});

test("a batch whose commit never arrives is done again, each part once", async () => {
  const { books, proxy, walletId, put } = await setScene(openBooks(await scratchDatabase()));
  const lost = proxy.atNextCommit("request lost");
  const work = Promise.all([put(10n, newClaim()), put(100n, newClaim()), put(1000n)]);
  await lost;
  await work;
  expect(await books.balanceOf(walletId)).toBe(1111n);
  expect((await audit(books.pool)).problems).toEqual([]);
});

test("what was decided on one connection is never written on another", async () => {
  const { books, proxy, walletId, organizationId, put } = await setScene(
    openBooks(await scratchDatabase()),
  );
  const other = openEngine(books.url);
  proxy.holdAnswers();
  const work = Promise.allSettled([put(10n, newClaim())]);
  const findBackend = () =>
    books.pool.query(
      `select pid from pg_stat_activity
        where application_name = 'florin-test-0' and state = 'idle in transaction'`,
    );
  const backend = await eventually(
    "the wallet is loaded",
    async () => (await findBackend()).rows[0],
  );
  await books.pool.query("select pg_terminate_backend($1, 5000)", [backend.pid]);
  // The lock went with the connection, so the wallet moves on before the decision is written.
  const input = { entryId: "jrn_2", walletId, currency: "USD" as const, amountMinor: 100n };
  await other.run(deposit, organizationId, input);
  // The loaded rows and the end of their connection arrive in one piece.
  proxy.releaseAnswers();

  const [outcome] = await work;
  expect(await books.balanceOf(walletId)).toBe(outcome?.status === "fulfilled" ? 111n : 101n);
  expect((await audit(books.pool)).problems).toEqual([]);
});

test("while nobody can say what became of a commit the answer is that nobody knows", async () => {
  const { books, proxy, walletId, put } = await setScene(openBooks(await scratchDatabase()));
  const mine = newClaim();
  const lost = proxy.atNextCommit("answer lost").then(() => proxy.goDown());
  let over = false;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const work = Promise.allSettled([put(10n, mine), put(100n, newClaim())]).finally(() => {
    over = true;
  });
  await lost;
  while (!over) {
    vi.advanceTimersByTime(100);
    await nextTurn();
  }
  vi.useRealTimers();
  for (const outcome of await work) {
    expect(outcome).toMatchObject({
      status: "rejected",
      reason: {
        codeName: "SERVICE_MALFUNCTION",
        response: { code: "150", httpStatus: 503, finality: "Indeterminate" },
      },
    });
  }
  proxy.comeUp();
  expect(await books.balanceOf(walletId)).toBe(111n);
  await expect(put(10n, mine)).rejects.toMatchObject({ codeName: "DUPLICATE_REQUEST" });
  expect(await books.balanceOf(walletId)).toBe(111n);
});

test.each([
  // Certainly lost, it is run again; without a witness nobody can say, so it is not.
  ["with a Reference", () => newClaim(), false, { status: "fulfilled", balance: 11 }],
  ["without one", () => undefined, false, { status: "rejected", balance: 1 }],
  ["with one that was retried since", () => newClaim(), true, { status: "rejected", balance: 11 }],
])(
  "after a crash of the database another's transaction is not taken for the lost one: %s",
  async (_what, as, isRetried, expected) => {
    const mine = as();
    const dataDir = mkdtempSync(join(tmpdir(), "florin-commit-"));
    cleanUps.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const start = () =>
      startEmbedded({
        dataDir,
        log: () => undefined,
        settings: { fsync: "off", shared_buffers: "16MB", autovacuum: "off" },
      });
    const first = await start();
    cleanUps.push(() => first.stop());
    await migrate(first.url);
    const { proxy, put, walletId, organizationId } = await setScene(
      openBooks({ url: first.url, drop: async () => undefined }),
    );

    await execute(first.url, "checkpoint");
    const held = proxy.atNextCommit("held up");
    const work = Promise.allSettled([put(10n, mine)]);
    await held;
    const [lost] = await execute(
      first.url,
      "select backend_xid::text::int as id from pg_stat_activity where backend_xid is not null",
    );
    // Nothing of the transaction is on the disk yet, its number included.
    await crash(dataDir);
    const second = await start();
    cleanUps.push(() => second.stop());
    await until("its number is given to somebody else", async () => {
      const [next] = await execute(second.url, "select pg_current_xact_id()::text::int as id");
      return Number(next?.id) >= Number(lost?.id);
    });
    if (isRetried) {
      const input = { entryId: "jrn_2", walletId, currency: "USD" as const, amountMinor: 10n };
      const retry = newClaim(mine?.reference, { requestId: "req_2" });
      await openEngine(second.url).run(deposit, organizationId, input, retry);
    }
    proxy.goDown();
    proxy.comeUp(second.url);

    const [outcome] = await work;
    const [wallet] = await execute(
      second.url,
      `select posted_minor::int as balance from accounts where account_id = '${walletId}'`,
    );
    expect({ status: outcome?.status, balance: wallet?.balance }).toEqual(expected);
  },
);

async function execute(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** As a power failure: PostgreSQL drops everything at once and writes nothing more. */
async function crash(dataDir: string): Promise<void> {
  const pidFile = join(dataDir, "postgres", "postmaster.pid");
  const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0]);
  process.kill(pid, "SIGQUIT");
  await until("the database is gone", () => identify(pid) === undefined);
}
