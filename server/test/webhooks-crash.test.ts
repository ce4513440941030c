import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { createPool, type Pool } from "../src/db/pool.ts";
import { verdict } from "./harness/answers.ts";
import type { ApiClient } from "./harness/api-client.ts";
import { until } from "./harness/eventually.ts";
import {
  cleanUp,
  newDataDir,
  quietEnvironment,
  type ServiceProcess,
  startServiceProcess,
} from "./harness/process.ts";
import { DatabaseProxy } from "./harness/proxy.ts";
import { Receiver, verify } from "./harness/receiver.ts";
import { scratchDatabase } from "./harness/scratch.ts";
import { startTestService } from "./harness/service.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await cleanUp();
  for (const end of ends.splice(0).reverse()) await end();
});

async function openReceiver(): Promise<Receiver> {
  const receiver = await Receiver.open();
  ends.push(() => receiver.goDown());
  return receiver;
}

/** A database that survives the service, and a proxy on the way to it. */
async function openDatabase() {
  const database = await scratchDatabase();
  ends.push(() => database.drop());
  const proxy = await DatabaseProxy.before(database.url);
  ends.push(() => proxy.close());
  const pool = createPool(database.url, 2);
  ends.push(() => pool.end());
  return { url: database.url, proxy, pool };
}

async function createEndpoint(client: ApiClient, url: string): Promise<string> {
  const answer = await client.post("/webhook-endpoints", { url });
  expect(verdict(answer)).toBe("200/000");
  return answer.body.data.secret;
}

async function deposit(client: ApiClient, amount = 1): Promise<void> {
  const answer = await client.post("/simulator/wallets/deposits", { currency: "USD", amount });
  expect(verdict(answer)).toBe("200/000");
}

async function untilQuiet(pool: Pool): Promise<void> {
  await until("everything is delivered", async () => {
    const { rows } = await pool.query(
      `select (select count(*) from webhook_deliveries) + (
                select count(*) from webhook_endpoints e join event_log l using (organization_id)
                 where l.position is null or l.position > e.position) as left`,
    );
    return rows[0].left === 0n;
  });
}

async function kill(service: ServiceProcess): Promise<void> {
  service.kill("SIGKILL");
  expect((await service.exited).signal).toBe("SIGKILL");
}

type Steps = {
  first: ServiceProcess;
  receiver: Receiver;
  proxy: DatabaseProxy;
};

/** Each brings one event just so far that the service can be killed there. */
const moments: [string, (steps: Steps) => Promise<void>, most: number][] = [
  [
    "committed, without a place in the feed",
    async ({ first, proxy }) => {
      await proxy.atNext("feed_place", "held up");
      await deposit(first.client);
    },
    1,
  ],
  [
    "in the feed, and not taken yet",
    async ({ first, proxy }) => {
      const held = proxy.atNext("webhooks_claim_fresh", "held up");
      await deposit(first.client);
      await held;
    },
    1,
  ],
  [
    "taken, and nobody knows of it",
    async ({ first, proxy }) => {
      const held = proxy.atNext("webhooks_claim_fresh", "answer lost");
      await deposit(first.client);
      await Promise.race([held, pause(500)]);
    },
    2,
  ],
  [
    "arrived, and not answered",
    async ({ first, receiver }) => {
      receiver.answerWith(() => undefined);
      await deposit(first.client);
      await receiver.until(1);
    },
    2,
  ],
  [
    "answered, and not recorded",
    async ({ first, receiver, proxy }) => {
      const held = proxy.atNext("webhooks_attempts", "held up");
      await deposit(first.client);
      await receiver.until(1);
      await held;
    },
    2,
  ],
  [
    "failed, and not recorded",
    async ({ first, receiver, proxy }) => {
      receiver.answerWith(500);
      const held = proxy.atNext("webhooks_attempts", "held up");
      await deposit(first.client);
      await receiver.until(1);
      await held;
    },
    2,
  ],
  [
    "due again, and not taken again",
    async ({ first, receiver, proxy }) => {
      receiver.answerWith(500);
      await deposit(first.client);
      await receiver.until(1);
      const held = proxy.atNext("webhooks_claim_due", "held up");
      await until("the failure is recorded", async () => {
        const { body } = await first.client.get(`/events/${receiver.ids[0]}`);
        return body.data.attempts.length === 1;
      });
      await first.client.post("/simulator/clock/advance", { seconds: 5 });
      await held;
    },
    2,
  ],
];

test.each(moments)(
  "killed when an event is %s, the service delivers it after its restart",
  async (_moment, bringTo, most) => {
    const { url, proxy, pool } = await openDatabase();
    const receiver = await openReceiver();
    const environment = quietEnvironment(newDataDir());
    const first = await startServiceProcess({ ...environment, FLORIN_DATABASE_URL: proxy.url });
    const secret = await createEndpoint(first.client, receiver.url);
    await bringTo({ first, receiver, proxy });
    await kill(first);

    receiver.answerWith(200);
    const second = await startServiceProcess({ ...environment, FLORIN_DATABASE_URL: url });
    await untilQuiet(pool);
    const { body } = await second.client.get("/events?limit=1");
    expect(receiver.ids).toEqual([body.data[0].eventId]);
    expect(receiver.received.length).toBeLessThanOrEqual(most);
    expect(() => verify(receiver.received.at(-1), secret)).not.toThrow();
    const feed = await second.client.get("/events?order=asc");
    expect(feed.body.data.map((event: { eventId: string }) => event.eventId)).toContain(
      body.data[0].eventId,
    );
  },
  60_000,
);

test("killed in the middle of 500 deliveries, it loses none and repeats what was in flight", async () => {
  const { url, pool } = await openDatabase();
  const receiver = await openReceiver();
  const environment = { ...quietEnvironment(newDataDir()), FLORIN_DATABASE_URL: url };
  const first = await startServiceProcess(environment);
  await createEndpoint(first.client, receiver.url);
  let arrived = 0;
  receiver.answerWith((response) => {
    if (++arrived === 200) first.kill("SIGKILL");
    setTimeout(() => response.writeHead(200).end(), 2);
  });
  const senders = Array.from({ length: 50 }, async () => {
    for (let n = 0; n < 10; n++) {
      await first.client.post("/simulator/wallets/deposits", { currency: "USD", amount: 1 });
    }
  });
  // Those who were not answered when the service was killed.
  await Promise.allSettled(senders);
  await first.exited;
  receiver.answerWith(200);

  await startServiceProcess(environment);
  await untilQuiet(pool);
  const { rows } = await pool.query(
    `select event_id as id from events where created_at > (select created_at from webhook_endpoints)`,
  );
  expect(receiver.ids.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  expect(rows.length).toBeGreaterThanOrEqual(200);
  // No more than one endpoint can have in hand at once.
  expect(receiver.received.length - receiver.ids.length).toBeLessThanOrEqual(128);
});

test("stopped while a receiver keeps it waiting, it stops, and the next start tries again at once", async () => {
  const { url, pool } = await openDatabase();
  const receiver = await openReceiver();
  receiver.answerWith(() => undefined);
  const service = await startTestService({ FLORIN_DATABASE_URL: url });
  await createEndpoint(service.client, receiver.url);
  for (let n = 0; n < 8; n++) await deposit(service.client);
  await receiver.until(4);
  await service.stop();
  const { rows } = await pool.query(
    "select attempts, lease_until from webhook_deliveries group by 1, 2",
  );
  expect(rows).toEqual([{ attempts: 0, lease_until: null }]);
  receiver.answerWith(200);
  const again = await startTestService({ FLORIN_DATABASE_URL: url });
  await untilQuiet(pool);
  await again.stop();
  expect(receiver.ids).toHaveLength(8);
});

test("two processes share the work: everything arrives, and once", async () => {
  const receiver = await openReceiver();
  const first = await startTestService();
  const second = await startTestService({ FLORIN_DATABASE_URL: first.databaseUrl });
  try {
    await createEndpoint(first.client, receiver.url);
    await createEndpoint(second.client, `${receiver.url}/too`);
    await Promise.all(
      [first.client, second.client].map(async (client) => {
        for (let n = 0; n < 20; n++) {
          await Promise.all(Array.from({ length: 10 }, () => deposit(client)));
        }
      }),
    );
    await receiver.until(800);
    const pool = createPool(first.databaseUrl, 1);
    await untilQuiet(pool);
    await pool.end();
    expect(receiver.received).toHaveLength(800);
    expect(receiver.ids).toHaveLength(400);
  } finally {
    await second.stop();
    await first.stop();
  }
});

test("a database that is gone for a moment, again and again, costs no delivery", async () => {
  const { proxy, pool } = await openDatabase();
  const receiver = await openReceiver();
  const service = await startTestService({ FLORIN_DATABASE_URL: proxy.url });
  try {
    await createEndpoint(service.client, receiver.url);
    const accidents = [
      () => proxy.atNext("webhooks_attempts", "request lost"),
      () => proxy.atNext("webhooks_attempts", "answer lost"),
      () => proxy.atNext("webhooks_claim_fresh", "request lost"),
      () => proxy.atNext("feed_place", "answer lost"),
      async () => {
        proxy.goDown();
        await pause(200);
        proxy.comeUp();
      },
    ];
    for (const accident of accidents) {
      const happened = accident();
      await until("a deposit is taken", async () => {
        const answer = await service.client.post("/simulator/wallets/deposits", {
          currency: "USD",
          amount: 1,
        });
        return answer.status === 200;
      });
      await Promise.race([happened, pause(2_000)]);
    }
    proxy.comeUp();
    await untilQuiet(pool);
    const { rows } = await pool.query(
      `select event_id as id from events where created_at > (select created_at from webhook_endpoints)`,
    );
    expect(receiver.ids.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
    expect(rows.length).toBeGreaterThanOrEqual(accidents.length);
  } finally {
    await service.stop();
  }
});
