import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool, type Pool } from "../src/db/pool.ts";
import { audit } from "../src/ledger/audit.ts";
import { openCard } from "./harness/cards.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
let pool: Pool;
let organizationId: string;

beforeAll(async () => {
  service = await startTestService();
  pool = createPool(service.databaseUrl, 2);
  const { rows } = await pool.query("select organization_id as id from organizations");
  organizationId = rows[0].id;
});

afterAll(async () => {
  await pool.end();
  await service.stop();
});

const buy = async (cardId: string, amount: number, more: object = {}) => {
  const { body } = await service.client.post("/simulator/authorizations", {
    cardId,
    amount,
    ...more,
  });
  return body.data ?? body;
};

const then = async (transactionId: string, action: string, more: object = {}) => {
  const { body } = await service.client.post(
    `/simulator/transactions/${transactionId}/${action}`,
    more,
  );
  return body.data ?? body;
};

test("a purchase holds, settles in parts and is refunded", async () => {
  const { cardId } = await openCard(pool, organizationId, { balanceMinor: 10_000n });
  const bought = await buy(cardId, 60);
  expect(bought).toMatchObject({
    stage: "Authorization",
    approved: true,
    heldAmount: 60,
    cardBalance: 100,
  });
  expect(bought.decision.trace.map(({ check }: { check: string }) => check)).toContain("balance");
  expect(await buy(cardId, 40.01)).toMatchObject({ stage: "Declined", responseCode: "116" });
  const { transactionId } = bought;
  expect(await then(transactionId, "settle", { amount: 20, partial: true })).toMatchObject({
    stage: "Settlement",
    heldAmount: 40,
    settledAmount: 20,
    cardBalance: 80,
  });
  expect(await then(transactionId, "reverse")).toMatchObject({ heldAmount: 0, reversedAmount: 40 });
  expect(await then(transactionId, "reverse")).toMatchObject({ responseCode: "175" });
  expect(await then(transactionId, "refund", { amount: 20.01 })).toMatchObject({
    responseCode: "235",
  });
  expect(await then(transactionId, "refund")).toMatchObject({ stage: "Refund", cardBalance: 100 });
  expect((await audit(pool)).problems).toEqual([]);
});

test("abroad a settlement is charged, and what cannot be paid is owed", async () => {
  const { cardId } = await openCard(pool, organizationId, { balanceMinor: 10_100n });
  const merchant = { country: "FR" };
  const first = await buy(cardId, 50, { merchant });
  expect(await then(first.transactionId, "settle")).toMatchObject({ cardBalance: 50 });
  const second = await buy(cardId, 49.5, { merchant });
  expect(await then(second.transactionId, "settle")).toMatchObject({ cardBalance: 0.5 });
  const { body } = await service.client.get(`/cards/${cardId}/cross-border-charges`);
  expect(body.data).toMatchObject([
    { status: "Pending", amount: 0.99 },
    { status: "Collected", amount: 1 },
  ]);
  expect((await audit(pool)).problems).toEqual([]);
});
