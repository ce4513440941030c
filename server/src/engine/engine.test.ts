import fc from "fast-check";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newReference } from "../../test/harness/api-client.ts";
import { newClaim } from "../../test/harness/claims.ts";
import { until } from "../../test/harness/eventually.ts";
import { openTill, settled, type Till } from "../../test/harness/till.ts";
import type { Currency } from "../foundation/currencies.ts";
import type { Account } from "../ledger/accounts.ts";
import { audit } from "../ledger/audit/audit.ts";
import type { Posting } from "../ledger/postings.ts";
import { findRequest } from "../references/store.ts";
import { deposit } from "../wallets/deposit.ts";
import type { Operation } from "./operation.ts";
import { keyColumns, type Load, need, type Table } from "./table.ts";

interface Place {
  organizationId: string;
  walletId: string;
  currency: Currency;
}

let till: Till;
let books: Till["books"];
let organizationId: Till["organizationId"];
let walletId: Till["walletId"];
let engine: Till["engine"];
let batches: Till["batches"];
let openEngine: Till["openEngine"];
let put: Till["put"];
let balance: Till["balance"];
let whileLocked: Till["whileLocked"];
let lockWaiters: Till["lockWaiters"];
let otherWalletId: string;

beforeEach(async () => {
  till = await openTill();
  ({
    books,
    organizationId,
    walletId,
    engine,
    batches,
    openEngine,
    put,
    balance,
    whileLocked,
    lockWaiters,
  } = till);
  otherWalletId = await books.openWallet(await books.openOrganization(), "USD");
});
afterEach(() => till.close());

test("what is submitted together is committed together, each seeing those before it", async () => {
  const answers = await Promise.all([put(1n), put(2n), put(3n)]);
  expect(answers.map(({ postedMinor }) => postedMinor)).toEqual([1n, 3n, 6n]);
  expect(batches).toEqual([3]);
  expect(await balance()).toBe(6n);
  const { rows } = await books.pool.query(
    `select amount_minor as amount, credit_balance_minor as balance from postings order by posting_id`,
  );
  expect(rows).toEqual([
    { amount: 1n, balance: 1n },
    { amount: 2n, balance: 3n },
    { amount: 3n, balance: 6n },
  ]);
  expect((await audit(books.pool)).problems).toEqual([]);
});

test("some callers of a batch go on at once, the others when the event loop has looked around", async () => {
  let answered = 0;
  const puts = Array.from({ length: 32 }, async () => {
    await put(1n);
    return answered++;
  });
  await Promise.race(puts);
  await Promise.resolve();
  expect(answered).toBe(16);
  await Promise.all(puts);
  expect(batches).toEqual([32]);
  expect(await balance()).toBe(32n);
});

test("what waits is sent to the database before the callers of the last batch go on", async () => {
  const order: string[] = [];
  const run = async (name: string, onBegin = () => {}): Promise<void> => {
    const nothing: Operation<void, void> = {
      name,
      accounts: () => {
        order.push(`${name} begins`);
        onBegin();
        return [];
      },
      decide: () => ({ effects: { postings: [], events: [] }, answer: undefined }),
    };
    await engine.run(nothing, organizationId, undefined);
    order.push(`${name} goes on`);
  };
  let second: Promise<void> | undefined;
  await run("first", () => {
    second = run("second");
  });
  await second;
  expect(order).toEqual(["first begins", "second begins", "first goes on", "second goes on"]);
});

const poisons: [string, Partial<Operation<unknown, unknown>>][] = [
  [
    "whose decision throws",
    {
      decide: () => {
        throw new Error("poison");
      },
    },
  ],
  [
    "that cannot even say what it needs",
    {
      accounts: () => {
        throw new Error("poison");
      },
    },
  ],
  [
    "that posts to an account it did not ask for",
    { decide: () => posting({ creditAccountId: otherWalletId }) },
  ],
  [
    "that posts in a currency its accounts do not have",
    { accounts: () => [walletId], decide: () => posting({ currency: "EUR" }) },
  ],
  [
    "that posts a negative amount",
    { accounts: () => [walletId], decide: () => posting({ amountMinor: -5n }) },
  ],
];

function posting(change: Partial<Posting>) {
  const whole = {
    entryId: "jrn_poison",
    kind: "Deposit" as const,
    debitAccountId: "Deposits:USD",
    creditAccountId: walletId,
    amountMinor: 5n,
    currency: "USD" as const,
  };
  return { effects: { postings: [{ ...whole, ...change }], events: [] }, answer: undefined };
}

test.each(poisons)("an operation %s hurts nobody else in its batch", async (_what, poison) => {
  const bad = { name: "bad", accounts: () => [], decide: () => posting({}), ...poison };
  const work = [put(1n), engine.run(bad, organizationId, undefined, newClaim()), put(2n)];
  expect(await settled(work)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await balance()).toBe(3n);
  expect((await audit(books.pool)).problems).toEqual([]);
});

test("postings and outcomes say which Reference caused them, and what became of it", async () => {
  const good = newClaim();
  const bad = newClaim();
  const nowhere = {
    entryId: "jrn_2",
    walletId: "wal_none",
    currency: "USD",
    amountMinor: 1n,
  } as const;
  await Promise.allSettled([put(1n, good), engine.run(deposit, organizationId, nowhere, bad)]);
  const { rows: postings } = await books.pool.query("select reference from postings");
  expect(postings).toEqual([{ reference: good.reference }]);
  expect(await findRequest(books.pool, "cli_1", good.reference)).toMatchObject({
    state: "Succeeded",
    httpStatus: 200,
    responseCode: "000",
    resourceId: walletId,
  });
  expect(await findRequest(books.pool, "cli_1", bad.reference)).toMatchObject({
    state: "Failed",
    httpStatus: 404,
    responseCode: "157",
    resourceId: null,
  });
});

test("a poisoned operation leaves no outcome for its Reference", async () => {
  const mine = newClaim();
  const bad: Operation<void, void> = {
    name: "bad",
    accounts: () => [],
    decide: () => {
      throw new Error("poison");
    },
  };
  await expect(engine.run(bad, organizationId, undefined, mine)).rejects.toThrow("poison");
  expect(mine.settled).toBe(false);
  expect(await put(1n, mine)).toMatchObject({ postedMinor: 1n });
});

test("a poisoned operation holds no lock once it has failed", async () => {
  const bad: Operation<void, void> = {
    name: "bad",
    accounts: () => [walletId],
    decide: () => {
      throw new Error("poison");
    },
  };
  await expect(engine.run(bad, organizationId, undefined)).rejects.toThrow("poison");
  const lock = "select from accounts where account_id = $1 for update nowait";
  expect((await books.pool.query(lock, [walletId])).rowCount).toBe(1);
});

test("work that meets another process is run again, but not for ever", async () => {
  let tries = 0;
  const unlucky: Operation<void, void> = {
    name: "unlucky",
    accounts: () => [],
    decide: () => {
      tries += 1;
      throw Object.assign(new pg.DatabaseError("deadlock", 1, "error"), { code: "40P01" });
    },
  };
  await expect(engine.run(unlucky, organizationId, undefined)).rejects.toThrow("deadlock");
  expect(tries).toBeGreaterThan(1);
});

test("accounts are locked in one order, whatever the order in which operations name them", async () => {
  const second = await books.openWallet(organizationId, "EUR");
  const [first = "", last = ""] = [walletId, second].sort();
  const backwards: Operation<void, void> = {
    name: "backwards",
    accounts: () => [last, first],
    decide: () => ({ effects: { postings: [], events: [] }, answer: undefined }),
  };
  const lock = "select from accounts where account_id = $1 for update nowait";
  const holder = await books.pool.connect();
  await holder.query("begin");
  await holder.query(lock, [first]);
  const work = engine.run(backwards, organizationId, undefined);
  work.catch(() => undefined);
  try {
    await until("the batch waits for the first", async () => (await lockWaiters()).length === 1);
    // Did it hold the last one already, the two would wait for each other.
    expect((await holder.query(lock, [last])).rowCount).toBe(1);
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  await work;
});

test("one Reference twice in a batch works once", async () => {
  const reference = newReference();
  const work = [put(1n, newClaim(reference)), put(2n, newClaim(reference)), put(4n, newClaim())];
  const all = await Promise.allSettled(work);
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect(all.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { codeName: "DUPLICATE_REQUEST" },
  });
  expect([5n, 6n]).toContain(await balance());
});

test("the wallet of another organization cannot be moved", async () => {
  const stranger = await books.openOrganization();
  const input = { entryId: "jrn_1", walletId, currency: "USD" as const, amountMinor: 1n };
  await expect(engine.run(deposit, stranger, input)).rejects.toMatchObject({
    codeName: "UNABLE_TO_LOCATE_RECORD",
  });
  expect(await balance()).toBe(0n);
});

test("whoever asks for another's rows in the same batch neither sees them nor takes them away", async () => {
  type Row = { id: string };
  const table: Table<Row> = { name: "wallets", idOf: ({ id }) => id };
  const byId: Load<Row> = {
    table,
    statement: (keys) => ({
      name: "wallets_find",
      text: `select organization_id as "organizationId", account_id as id from accounts
               join unnest($1::text[], $2::text[]) as k(organization_id, account_id)
                    using (organization_id, account_id)`,
      values: keyColumns(keys),
    }),
    keyOf: ({ id }) => id,
  };
  const look: Operation<string, unknown> = {
    name: "look",
    accounts: (id) => [id],
    needs: (id) => [need(byId, id)],
    decide: (view, id) => ({
      effects: { postings: [], events: [] },
      answer: { account: view.account(id)?.accountId, rows: view.rows(byId, id).length },
    }),
  };
  const stranger = await books.openOrganization();
  const owners = [organizationId, stranger];
  const seen = await Promise.all(owners.map((owner) => engine.run(look, owner, walletId)));
  expect(batches).toEqual([2]);
  expect(seen).toEqual([
    { account: walletId, rows: 1 },
    { account: undefined, rows: 0 },
  ]);
});

test("a full queue refuses at once, and those who wait are served", async () => {
  const { accepted, refused } = await whileLocked(async () => {
    const running = put(1n);
    running.catch(() => undefined);
    await until("the lane is busy", async () => (await lockWaiters()).length === 1);
    const waiting: Promise<Account>[] = [running];
    while (engine.queued < 10_000) waiting.push(put(1n));
    for (const one of waiting) one.catch(() => undefined);
    const refused = put(1n);
    refused.catch(() => undefined);
    return { accepted: waiting, refused };
  });
  await expect(refused).rejects.toMatchObject({ codeName: "SERVICE_MALFUNCTION" });
  expect(new Set(await settled(accepted))).toEqual(new Set(["fulfilled"]));
  expect(await balance()).toBe(BigInt(accepted.length));
});

test("a connection lost before the commit loses no deposit and doubles none", async () => {
  const mine = newClaim();
  const { work } = await whileLocked(async () => {
    const started = put(1n, mine);
    started.catch(() => undefined);
    await until("the batch waits", async () => (await lockWaiters()).length === 1);
    const [pid] = await lockWaiters();
    await books.pool.query("select pg_terminate_backend($1, 5000)", [pid]);
    return { work: started };
  });
  const [outcome] = await Promise.allSettled([work]);
  expect(await balance()).toBe(outcome?.status === "fulfilled" ? 1n : 0n);
  if (outcome?.status === "fulfilled") return;
  await until("the same Reference can be tried again", () =>
    put(1n, mine).then(
      () => true,
      () => false,
    ),
  );
  expect(await balance()).toBe(1n);
});

test("a stop finishes what was submitted", async () => {
  const work = [put(1n), put(2n)];
  await engine.stop();
  expect(await settled(work)).toEqual(["fulfilled", "fulfilled"]);
  expect(await balance()).toBe(3n);
});

test("any interleaving over wallets, currencies and organizations keeps the books in order", async () => {
  const places: Place[] = [];
  for (let n = 0; n < 2; n++) {
    const organization = await books.openOrganization();
    for (const currency of ["USD", "JPY"] as const) {
      const wallet = await books.openWallet(organization, currency);
      places.push({ organizationId: organization, walletId: wallet, currency });
    }
  }
  const engines = [engine, openEngine(2)];
  const acknowledged = new Map(places.map(({ walletId: wallet }) => [wallet, 0n]));
  const step = fc.record({
    engine: fc.nat({ max: engines.length - 1 }),
    place: fc.nat({ max: places.length - 1 }),
    amountMinor: fc.bigInt({ min: 1n, max: 1_000_000n }),
    // A few References for many steps, so that some meet.
    reference: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
  });
  let run = 0;
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
        run++;
        await Promise.all(
          steps.map(async ({ engine: which, place, amountMinor, reference }) => {
            const { organizationId: owner, walletId: wallet, currency } = places[place] as Place;
            const as = reference === undefined ? undefined : newClaim(`${run}-${reference}`);
            const input = { entryId: `jrn_${run}`, walletId: wallet, currency, amountMinor };
            try {
              await (engines[which] ?? engine).run(deposit, owner, input, as);
              acknowledged.set(wallet, (acknowledged.get(wallet) ?? 0n) + amountMinor);
            } catch (error) {
              expect(as, "only a Reference can be refused").toBeDefined();
              expect(error).toMatchObject({ codeName: "DUPLICATE_REQUEST" });
            }
          }),
        );
        for (const [wallet, expected] of acknowledged) {
          expect(await books.balanceOf(wallet)).toBe(expected);
        }
        expect((await audit(books.pool)).problems).toEqual([]);
      }),
      { numRuns: 25 },
    );
  } finally {
    await engines[1]?.stop();
  }
});
