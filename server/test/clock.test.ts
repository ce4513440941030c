import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ServiceClock } from "../src/foundation/clock.ts";
import { expectRefusal, TIMESTAMP, verdict } from "./harness/answers.ts";
import { type ApiClient, newReference } from "./harness/api-client.ts";
import { until } from "./harness/eventually.ts";
import { business, bvn, verifyBusiness, verifyIndividual } from "./harness/kyc.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const ADVANCE = "/simulator/clock/advance";
const DAY_S = 86_400;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function advance(seconds: number, client = service.client): Promise<number> {
  const answer = await client.post(ADVANCE, { seconds });
  expect(verdict(answer)).toBe("200/000");
  client.forgetToken();
  return Date.parse(answer.body.data.now);
}

/** What a process takes for the time, as it shows when it has done something. */
async function timeOf(client: ApiClient): Promise<number> {
  const reference = newReference();
  await client.get("/wallets", { reference });
  const { body } = await client.get(`/requests/${reference}`);
  return Date.parse(body.data.completedAt);
}

test("the clock moves by what was asked for, says where it is, and stays there", async () => {
  const started = Date.now();
  const before = await timeOf(service.client);
  const { body } = await service.client.post(ADVANCE, { seconds: 600 });
  expect(body.data).toEqual({ now: expect.stringMatching(TIMESTAMP) });
  const moved = Date.parse(body.data.now) - before;
  expect(moved).toBeGreaterThanOrEqual(600_000);
  expect(moved).toBeLessThanOrEqual(600_000 + (Date.now() - started));
  expect(await timeOf(service.client)).toBeGreaterThanOrEqual(Date.parse(body.data.now));
});

test.each<[string, unknown]>([
  ["nothing", {}],
  ["no time at all", { seconds: 0 }],
  ["backwards", { seconds: -1 }],
  ["half a second", { seconds: 1.5 }],
  ["more than 400 days", { seconds: 400 * DAY_S + 1 }],
  ["in words", { seconds: "60" }],
  ["with more than is known", { seconds: 60, minutes: 1 }],
])("%s is refused, and the clock stays where it was", async (_what, body) => {
  const before = await timeOf(service.client);
  const started = Date.now();
  expectRefusal(await service.client.post(ADVANCE, body), "400/131");
  expect((await timeOf(service.client)) - before).toBeLessThan(Date.now() - started + 500);
});

test.each([1000, 2 * DAY_S])(
  "a Reference moves it by %d seconds once, however often it is sent",
  async (seconds) => {
    const reference = newReference();
    const before = await timeOf(service.client);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => service.client.post(ADVANCE, { seconds }, { reference })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    service.client.forgetToken();
    expectRefusal(await service.client.post(ADVANCE, { seconds }, { reference }), "400/139");
    const moved = (await timeOf(service.client)) - before;
    expect(Math.floor(moved / (seconds * 1000))).toBe(1);
    const { body } = await service.client.get(`/requests/${reference}`);
    expect(body.data.state).toBe("Succeeded");
  },
);

test("moved several times at once, the last move is known to have succeeded", async () => {
  const references = [newReference(), newReference(), newReference()];
  const answers = await Promise.all(
    references.map((reference) =>
      service.client.post(ADVANCE, { seconds: 2 * DAY_S }, { reference }),
    ),
  );
  expect(answers.map(verdict)).toEqual(["200/000", "200/000", "200/000"]);
  service.client.forgetToken();
  const states = [];
  for (const reference of references) {
    states.push((await service.client.get(`/requests/${reference}`)).body.data.state);
  }
  // By then the others are days ago.
  expect(states.sort()).toEqual(["Succeeded", "Unknown", "Unknown"]);
});

test("customers and cards are of its time", async () => {
  const { client } = service;
  const nowMs = await advance(DAY_S);
  const [person, firm] = [bvn(), business()];
  const { customerId } = (await verifyIndividual(client, person)).body.data;
  await verifyBusiness(client, firm);
  const { cardId } = (await client.post("/cards/retail", { customerId })).body.data;
  const card = (await client.post(`/cards/${cardId}/terminate`, {})).body.data;
  const times = [card.createdAt, card.terminatedAt];
  for (const { clientReference } of [person, firm]) {
    const { body } = await client.get(`/customers?clientReference=${clientReference}`);
    times.push(body.data[0].createdAt);
  }
  expect(times.filter((time) => !(Date.parse(time) >= nowMs))).toEqual([]);
});

test("tokens follow it", async () => {
  const { client } = service;
  const token = await client.token();
  await client.post(ADVANCE, { seconds: 3601 });
  expectRefusal(
    await client.get("/wallets", { headers: { Authorization: `Bearer ${token}` } }),
    "401/146",
  );
  client.forgetToken();
  expect(verdict(await client.get("/wallets"))).toBe("200/000");
});

test("every process has followed when it is answered, and a restart keeps it", async () => {
  const other = await startTestService({ FLORIN_DATABASE_URL: service.databaseUrl });
  try {
    const now = await advance(400 * DAY_S);
    other.client.forgetToken();
    expect(await timeOf(other.client)).toBeGreaterThanOrEqual(now);
  } finally {
    await other.stop();
  }
  const later = await startTestService({ FLORIN_DATABASE_URL: service.databaseUrl });
  try {
    expect(await timeOf(later.client)).toBeGreaterThanOrEqual(
      (await timeOf(service.client)) - 5_000,
    );
    expect(await timeOf(later.client)).toBeGreaterThan(Date.now() + 400 * DAY_S * 1000);
  } finally {
    await later.stop();
  }
});

test("the database that goes away in the middle of it costs an answer, not the service", async () => {
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  const admin = new pg.Client({ connectionString: service.databaseUrl });
  await Promise.all([holder.connect(), admin.connect()]);
  const before = await timeOf(service.client);
  try {
    await holder.query("begin");
    await holder.query("select from shared_state for update");
    const hanging = service.client.post(ADVANCE, { seconds: 100_000 });
    const find = () =>
      admin.query(
        `select pid from pg_stat_activity where datname = current_database()
            and wait_event_type = 'Lock' and query like 'update shared_state%'`,
      );
    await until("it waits", async () => (await find()).rowCount === 1);
    await admin.query("select pg_terminate_backend($1)", [(await find()).rows[0].pid]);
    await holder.query("rollback");
    const answer = await hanging;
    expect(verdict(answer)).toBe("503/150");
    expect(answer.body.finality).toBe("Indeterminate");
  } finally {
    await Promise.all([holder.end(), admin.end()]);
  }
  expect((await timeOf(service.client)) - before).toBeLessThan(100_000_000);
});

test("a reading that comes late never turns time back", () => {
  const clock = new ServiceClock();
  clock.follow(60_000);
  const ahead = clock.nowMs();
  clock.follow(1_000);
  expect(clock.nowMs()).toBeGreaterThanOrEqual(ahead);
  expect(clock.now().getTime()).toBeGreaterThanOrEqual(ahead);
});
