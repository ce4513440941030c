import { afterAll, beforeAll, expect, test } from "vitest";
import { audit } from "../src/ledger/audit/audit.ts";
import { verdict } from "./harness/answers.ts";
import { logInOwner } from "./harness/dashboard.ts";
import { execute } from "./harness/empty-database.ts";
import { bvn, untilStatus, verifyIndividual } from "./harness/kyc.ts";
import { openOperator } from "./harness/operator.ts";
import { TransactionPooler } from "./harness/pooler.ts";
import { Receiver } from "./harness/receiver.ts";
import { scratchDatabase } from "./harness/scratch.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const SESSIONS = 2;
const CARDS = 12;

let database: Awaited<ReturnType<typeof scratchDatabase>>;
let pooler: TransactionPooler;
let service: TestService;
beforeAll(async () => {
  database = await scratchDatabase();
  pooler = await TransactionPooler.before(database.url, SESSIONS);
  service = await startTestService({
    FLORIN_DATABASE_URL: database.url,
    FLORIN_DATABASE_POOLER_URL: pooler.url,
    FLORIN_SANDBOX_KYC_DELAY_MS: "0",
  });
});
afterAll(async () => {
  await service.stop();
  await pooler.close();
  await database.drop();
});

/** What a session would give to whoever has it next. */
const LEFT_BEHIND = `
  select pg_backend_pid() as pid,
         array(select name from pg_prepared_statements) as statements,
         array(select name from pg_settings where source = 'session'
                  and name not in ('application_name', 'client_encoding')) as settings,
         (select count(*)::int from pg_locks
           where pid = pg_backend_pid() and locktype = 'advisory') as locks,
         array(select channel from pg_listening_channels() as channel) as channels`;

test("behind a pooler in transaction mode everything works, and sessions are left as they were", async () => {
  const { client, sandbox } = service;
  const receiver = await Receiver.open();
  const hook = await client.post("/webhook-endpoints", { url: receiver.url });
  expect(verdict(hook)).toBe("200/000");

  const { body } = await verifyIndividual(client, bvn());
  const { customerId } = await untilStatus(client, body.data.kycToken, "Approved");
  const issued = await Promise.all(
    Array.from({ length: CARDS }, () =>
      client.post("/cards/retail", { customerId, initialBalance: 10 }),
    ),
  );
  expect(issued.map(verdict)).toEqual(Array(CARDS).fill("200/000"));
  const reads = ["/cards", "/customers", "/wallets", "/transactions", "/events", "/programmes"];
  const read = await Promise.all([...reads, ...reads, ...reads].map((path) => client.get(path)));
  expect(new Set(read.map(verdict))).toEqual(new Set(["200/000"]));
  const { browser } = await logInOwner(sandbox);
  expect((await browser.get("/dashboard/sessions")).status).toBe(200);
  await receiver.until(CARDS);
  await receiver.goDown();

  const operator = await openOperator(service);
  expect((await audit(operator.pool)).problems).toEqual([]);
  await operator.close();
  const left = await Promise.all(
    Array.from({ length: SESSIONS }, () => execute<{ pid: number }>(pooler.url, LEFT_BEHIND)),
  );
  const clean = { statements: [], settings: [], locks: 0, channels: [] };
  expect(left.flat()).toEqual(Array(SESSIONS).fill({ pid: expect.any(Number), ...clean }));
  expect(new Set(left.flat().map(({ pid }) => pid)).size).toBe(SESSIONS);
});
