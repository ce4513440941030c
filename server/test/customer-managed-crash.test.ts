import { afterEach, expect, test } from "vitest";
import { createPool, type Pool } from "../src/db/pool.ts";
import { audit } from "../src/ledger/audit/audit.ts";
import type { ApiClient } from "./harness/api-client.ts";
import { openCard } from "./harness/cards.ts";
import { approve, Decider, saying, waiting } from "./harness/decider.ts";
import { until } from "./harness/eventually.ts";
import {
  cleanUp,
  newDataDir,
  quietEnvironment,
  type ServiceProcess,
  startServiceProcess,
} from "./harness/process.ts";
import { scratchDatabase } from "./harness/scratch.ts";

const closes: (() => unknown)[] = [];

afterEach(async () => {
  await cleanUp();
  for (const close of closes.splice(0).reverse()) await close();
});

interface Scene {
  environment: Record<string, string>;
  service: ServiceProcess;
  pool: Pool;
  decider: Decider;
  cardId: string;
}

async function start(): Promise<Scene> {
  const database = await scratchDatabase();
  closes.push(database.drop);
  const environment = {
    ...quietEnvironment(newDataDir()),
    FLORIN_DATABASE_URL: database.url,
  };
  const service = await startServiceProcess(environment);
  const pool = createPool(database.url, 2);
  closes.push(() => pool.end());
  const decider = await Decider.start();
  closes.push(() => decider.stop());
  const { status } = await service.client.call("PUT", "/settings/card-authorization", {
    body: {
      model: "CustomerManaged",
      authorizationUrl: decider.url,
      defaultAuthorizationDecision: "AutoDecline",
    },
  });
  expect(status).toBe(200);
  const { rows } = await pool.query("select organization_id as id from organizations");
  const { cardId } = await openCard(pool, rows[0].id);
  return { environment, service, pool, decider, cardId };
}

async function killAndRestart({ service, environment }: Scene): Promise<ServiceProcess> {
  service.kill("SIGKILL");
  await service.exited;
  return startServiceProcess(environment);
}

const buy = (client: ApiClient, cardId: string) =>
  client.post("/simulator/authorizations", { cardId, amount: 5 });

/** As if so much time had passed since the process died. */
const letLeasesPass = (pool: Pool) =>
  Promise.all([
    pool.query("update authorization_questions set asked_at = asked_at - interval '1 minute'"),
    pool.query(
      "update authorization_advice_queues set lease_until = now() where lease_until > now()",
    ),
  ]);

test("an approval that nobody lived to record is taken back", async () => {
  const scene = await start();
  const { service, pool, decider, cardId } = scene;
  const { answering, asked } = waiting(approve);
  decider.answer = answering;
  const buying = buy(service.client, cardId).catch(() => "no answer");
  await asked;
  await killAndRestart(scene);
  expect(await buying).toBe("no answer");
  await letLeasesPass(pool);
  const { transactionId } = decider.questions[0]?.message ?? {};
  await until("it is taken back", () => decider.advicesOf(transactionId).length > 0);
  expect(decider.advicesOf(transactionId)).toEqual(["Reversal"]);
  const { rows } = await pool.query("select from transactions where transaction_id = $1", [
    transactionId,
  ]);
  expect(rows).toEqual([]);
  expect((await audit(pool)).problems).toEqual([]);
});

test("advices outlive the process, and keep their order", async () => {
  const scene = await start();
  const { service, pool, decider, cardId } = scene;
  const { answering, asked } = waiting(saying({}));
  decider.acknowledge = answering;
  const { body } = await buy(service.client, cardId);
  const { transactionId, approved } = body.data;
  expect(approved).toBe(true);
  const path = `/simulator/transactions/${transactionId}`;
  expect((await service.client.post(`${path}/settle`, {})).status).toBe(200);
  await asked;
  expect((await service.client.post(`${path}/refund`, {})).status).toBe(200);
  await killAndRestart(scene);
  decider.acknowledge = saying({});
  await letLeasesPass(pool);
  await until("all is told", () => decider.advicesOf(transactionId).length === 3);
  expect(decider.advicesOf(transactionId)).toEqual(["Settlement", "Settlement", "Refund"]);
  const ids = decider.advices.map(({ message }) => message.requestId);
  expect(ids[0]).toBe(ids[1]);
  expect((await audit(pool)).problems).toEqual([]);
});
