import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { startEmbedded } from "../src/db/embedded/embedded.ts";
import { findServer } from "../src/db/embedded/server.ts";
import { layOut } from "../src/db/embedded/site.ts";
import { createPool } from "../src/db/pool.ts";
import { audit } from "../src/ledger/audit/audit.ts";
import { verdict } from "./harness/answers.ts";
import { type ApiClient, newReference } from "./harness/api-client.ts";
import { eventually, until } from "./harness/eventually.ts";
import {
  cleanUp,
  florin,
  newDataDir,
  quietEnvironment,
  type ServiceProcess,
  startServiceProcess,
} from "./harness/process.ts";
import { DatabaseProxy } from "./harness/proxy.ts";
import { scratchDatabase } from "./harness/scratch.ts";
import { startTestService } from "./harness/service.ts";

const COUNT = 1_000;
const KILL_AFTER = 300;
/** So many that the service is flooded, and few enough that some deposits wait when it is killed. */
const SENDERS = 600;
const AT_ONCE = 50;

/** Each deposit has an amount of its own, so that a sum tells which of them it is made of. */
interface Deposit {
  reference: string;
  cents: number;
  acknowledged: boolean;
}

afterEach(cleanUp);

const send = (client: ApiClient, { reference, cents }: Deposit) =>
  client.post(
    "/simulator/wallets/deposits",
    { currency: "USD", amount: cents / 100 },
    { reference },
  );

/** Sends as many at the same time as there are senders; the callers of a service that dies get no answer. */
async function sendAll(
  client: ApiClient,
  deposits: Deposit[],
  onAnswer: () => void,
): Promise<void> {
  await client.token();
  const waiting = [...deposits];
  const sender = async (): Promise<void> => {
    for (let deposit = waiting.shift(); deposit !== undefined; deposit = waiting.shift()) {
      try {
        const answer = await send(client, deposit);
        expect(verdict(answer)).toBe("200/000");
        deposit.acknowledged = true;
        onAnswer();
      } catch (error) {
        // Whatever the network says; an answer that is not a success would be a mistake.
        if (!(error instanceof TypeError)) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
}

async function inGroups<In, Out>(items: In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))));
  }
  return results;
}

/** What the journal says of each Reference, read past the service. */
async function readJournal(
  dataDir: string,
): Promise<Map<string, { times: number; cents: number }>> {
  const database = await startEmbedded({ dataDir, log: () => undefined });
  const client = new pg.Client({ connectionString: database.url });
  try {
    await client.connect();
    // A commit that was under way outlives the process that asked for it.
    await until("nothing is under way any more", async () => {
      const { rowCount } = await client.query(
        "select from pg_stat_activity where backend_xid is not null and pid <> pg_backend_pid()",
      );
      return rowCount === 0;
    });
    const { rows } = await client.query<{ reference: string; times: number; cents: number }>(
      `select reference, count(*)::int as times, sum(amount_minor)::int as cents
         from postings where reference is not null group by reference`,
    );
    return new Map(rows.map(({ reference, ...found }) => [reference, found]));
  } finally {
    await client.end();
    await database.stop();
  }
}

const balanceOf = async ({ client }: ServiceProcess): Promise<number> =>
  (await client.get("/wallets")).body.data[0].balance;

function killDatabase(dataDir: string): void {
  const pidFile = readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8");
  process.kill(Number(pidFile.split("\n")[0]), "SIGKILL");
}

const accidents: [string, (service: ServiceProcess, dataDir: string) => void][] = [
  ["the service is killed", (service) => service.kill("SIGKILL")],
  [
    "the service and its database are killed",
    (service, dataDir) => {
      // In this order: a service that saw its database die would say so.
      service.kill("SIGKILL");
      killDatabase(dataDir);
    },
  ],
];

test.each(accidents)(
  "1,000 deposits at once, and %s in the middle: nothing is lost, nothing happens twice",
  async (_what, strike) => {
    const dataDir = newDataDir();
    const environment = quietEnvironment(dataDir);
    const deposits: Deposit[] = Array.from({ length: COUNT }, (_, index) => ({
      reference: newReference(),
      cents: 100_000 + index,
      acknowledged: false,
    }));
    const first = await startServiceProcess(environment);
    let answers = 0;
    await sendAll(first.client, deposits, () => {
      if (++answers === KILL_AFTER) strike(first, dataDir);
    });
    expect((await first.exited).signal).toBe("SIGKILL");
    const acknowledged = deposits.filter((deposit) => deposit.acknowledged);
    const unacknowledged = deposits.filter((deposit) => !deposit.acknowledged);
    // Otherwise there was no middle to be killed in.
    expect(unacknowledged.length).toBeGreaterThan(0);

    const second = await startServiceProcess(environment);
    const journal = await readJournal(dataDir);
    for (const { reference, cents } of acknowledged) {
      expect(journal.get(reference)).toEqual({ times: 1, cents });
    }
    for (const { reference, cents } of unacknowledged) {
      expect([undefined, { times: 1, cents }]).toContainEqual(journal.get(reference));
    }
    expect(cents(await balanceOf(second))).toBe(10_000_000 + sum(journal));

    const outcomes = await inGroups(deposits, async ({ reference }) => {
      const { body } = await second.client.get(`/requests/${reference}`);
      return body.data.state;
    });
    expect(outcomes).toEqual(
      deposits.map(({ reference }) => (journal.has(reference) ? "Succeeded" : "Unknown")),
    );

    const retries = await inGroups(unacknowledged, async (deposit) =>
      verdict(await send(second.client, deposit)),
    );
    expect(retries).toEqual(
      unacknowledged.map(({ reference }) => (journal.has(reference) ? "400/139" : "200/000")),
    );
    const whole = await readJournal(dataDir);
    expect(whole.size).toBe(COUNT);
    for (const { reference, cents } of deposits) {
      expect(whole.get(reference)).toEqual({ times: 1, cents });
    }
    expect(cents(await balanceOf(second))).toBe(10_000_000 + sum(whole));

    const books = await florin(["audit"], environment);
    expect(books).toMatchObject({ code: 0, stderr: "" });
    expect(books.stdout).toContain("The books hold");
  },
  120_000,
);

const cents = (amount: number): number => Math.round(amount * 100);
const sum = (journal: Map<string, { cents: number }>): number =>
  [...journal.values()].reduce((total, entry) => total + entry.cents, 0);

test("a service that is stopped when its database has just died leaves none behind, and a restart finds the money", async () => {
  const dataDir = newDataDir();
  const environment = quietEnvironment(dataDir);
  const service = await startServiceProcess(environment);
  const done: Deposit = { reference: newReference(), cents: 100, acknowledged: false };
  expect(verdict(await send(service.client, done))).toBe("200/000");
  killDatabase(dataDir);
  service.kill("SIGTERM");
  expect(await service.exited).toEqual({ code: 0, signal: null });
  expect(await findServer(layOut(dataDir))).toBeUndefined();

  const again = await startServiceProcess(environment);
  expect(verdict(await send(again.client, done))).toBe("400/139");
  expect((await florin(["audit"], environment)).code).toBe(0);
});

test("whatever the way to the database suffers under load, each deposit happens once", async () => {
  const database = await scratchDatabase();
  const proxy = await DatabaseProxy.before(database.url);
  const service = await startTestService({ FLORIN_DATABASE_URL: proxy.url });
  const admin = createPool(database.url, 2);
  const accidents = [
    () => proxy.atNextCommit("answer lost"),
    () => proxy.atNextCommit("request lost"),
    () =>
      admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name like 'florin-engine%'`,
      ),
    async () => {
      proxy.goDown();
      await pause(300);
      proxy.comeUp();
    },
  ];
  try {
    let over = false;
    const deposits: Deposit[] = [];
    /** As a careful client: what nobody knows the outcome of is asked again with the same Reference. */
    const worker = async (): Promise<void> => {
      while (!over) {
        const deposit = {
          reference: newReference(),
          cents: 1 + deposits.length,
          acknowledged: true,
        };
        deposits.push(deposit);
        const outcome = await eventually("the deposit has an outcome", async () => {
          const answer = verdict(await send(service.client, deposit));
          return answer === "503/150" ? undefined : answer;
        });
        expect(["200/000", "400/139"]).toContain(outcome);
      }
    };
    const load = Promise.all(Array.from({ length: 20 }, worker));
    for (let turn = 0; turn < 3 * accidents.length; turn++) {
      await Promise.race([accidents[turn % accidents.length]?.(), load, pause(1_000)]);
      await pause(100);
    }
    over = true;
    await load;

    const { rows } = await admin.query(
      `select reference, count(*)::int as times, sum(amount_minor)::int as cents
         from postings where reference is not null group by reference`,
    );
    const journal = new Map(rows.map(({ reference, ...found }) => [reference, found]));
    expect(journal.size).toBe(deposits.length);
    for (const { reference, cents } of deposits) {
      expect(journal.get(reference)).toEqual({ times: 1, cents });
    }
    expect((await audit(admin)).problems).toEqual([]);
    await until("each lane has one connection, and none was forgotten", async () => {
      const { rowCount } = await admin.query(
        `select from pg_stat_activity where datname = current_database()
            and application_name like 'florin-%' group by application_name having count(*) > 1`,
      );
      return rowCount === 0;
    });
  } finally {
    await service.stop();
    await admin.end();
    await proxy.close();
    await database.drop();
  }
});
