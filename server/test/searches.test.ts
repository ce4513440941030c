import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCore } from "../src/core.ts";
import { createPool, type Pool } from "../src/db/pool.ts";
import { readConfig } from "../src/foundation/config/config.ts";
import { expectRefusal, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { openCard } from "./harness/cards.ts";
import { until } from "./harness/eventually.ts";
import { lockWaiters } from "./harness/lock-waiters.ts";
import { foundOrganization, type Organization, openOperator } from "./harness/operator.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
let pool: Pool;
let greedy: Organization;
let modest: Organization;
beforeAll(async () => {
  service = await startTestService();
  pool = createPool(service.databaseUrl, 2);
  const operator = await openOperator(service);
  greedy = await foundOrganization(operator, service, { name: "Greedy" });
  modest = await foundOrganization(operator, service, { name: "Modest" });
  await operator.close();
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

const waiting = (): Promise<number> => lockWaiters(pool, "florin");

/** Searches for customers by name take as long as `work` does; nothing else needs what they wait for. */
async function whileNamesAreSlow(work: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query("lock table customer_words in access exclusive mode");
    await work();
  } finally {
    await holder.end();
  }
}

test("however slow an organization's searches are, others call, search and buy", async () => {
  const { client, organizationId } = modest;
  await client.post("/simulator/wallets/deposits", { currency: "USD", amount: 100 });
  const { cardId } = await openCard(pool, organizationId, { balanceMinor: 100_00n });
  let searches: ReturnType<typeof client.get>[] = [];
  await whileNamesAreSlow(async () => {
    searches = Array.from({ length: 40 }, () => greedy.client.get("/customers?name=ada"));
    await until("they are under way", async () => (await waiting()) > 0);
    const lists = ["/customers", "/cards", "/transactions", "/events?type=card.issued"];
    for (const path of lists) expect(verdict(await client.get(path))).toBe("200/000");
    const bought = await client.post("/simulator/authorizations", { cardId, amount: 1 });
    expect(verdict(bought)).toBe("200/000");
    expect(bought.body.data.approved).toBe(true);
    expect(verdict(await client.post(`/cards/${cardId}/top-up`, { amount: 1 }))).toBe("200/000");
    expect(verdict(await greedy.client.get("/wallets"))).toBe("200/000");
  });
  const verdicts = (await Promise.all(searches)).map(verdict);
  expect(verdicts).toEqual(Array(40).fill("200/000"));
});

test("searches beyond those that may wait are told to come back, and their References stay good", async () => {
  const reference = newReference();
  let searches: ReturnType<typeof greedy.client.get>[] = [];
  await whileNamesAreSlow(async () => {
    searches = Array.from({ length: 210 }, () => greedy.client.get("/customers?name=ada"));
    const refused = await Promise.race(
      searches.map(async (search) => {
        const answer = await search;
        if (answer.status === 200) throw new Error("It was not held up.");
        return answer;
      }),
    );
    expectRefusal(refused, "503/150");
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    const next = await greedy.client.get("/customers", { reference });
    expectRefusal(next, "503/150");
  });
  await Promise.all(searches);
  expect(verdict(await greedy.client.get("/customers", { reference }))).toBe("200/000");
});

test("what every process must know arrives, however busy the pool is", async () => {
  const environment = { ...service.environment, FLORIN_DATABASE_POOL_SIZE: "2" };
  const core = await openCore(readConfig(environment), () => undefined);
  const taken = await Promise.all([core.pool.connect(), core.pool.connect()]);
  try {
    const heard: bigint[] = [];
    core.feed.on("directoryVersion", (version) => heard.push(version));
    await pool.query("update shared_state set directory_version = directory_version + 1");
    await until("the change is noticed", () => heard.length === 2);
    expect(core.feed.isFresh()).toBe(true);
  } finally {
    for (const connection of taken) connection.release();
    await core.close();
  }
});

test("a statement of the pool ends in the database too when nobody waits for it any more", async () => {
  const { rows } = await pool.query("show statement_timeout");
  expect(rows).toEqual([{ statement_timeout: "30s" }]);
});
