import { afterAll, beforeAll, expect, test } from "vitest";
import { findCardByPan } from "../src/cards/by-pan.ts";
import { deriveCvv } from "../src/cards/cvv.ts";
import type { Core } from "../src/core.ts";
import { Reads } from "../src/db/reads.ts";
import { rotateKeys, sealedColumns } from "../src/identity/rotate-keys.ts";
import { becomes, verdict } from "./harness/answers.ts";
import { type Bank, openBank } from "./harness/bank.ts";
import { openCustomer } from "./harness/customers.ts";
import { business, bvn, passport, verifyBusiness, verifyIndividual } from "./harness/kyc.ts";
import { openOperator } from "./harness/operator.ts";

let bank: Bank;
let operator: Core;
let reads: Reads;
let customerId: string;
beforeAll(async () => {
  bank = await openBank({ FLORIN_SANDBOX_KYC_DELAY_MS: "3600000" });
  operator = await openOperator(bank.service);
  reads = new Reads(operator.databaseUrl);
  customerId = await openCustomer(bank.pool, bank.organizationId);
});
afterAll(async () => {
  await reads.stop();
  await operator.close();
  await bank.stop();
});

interface Secrets {
  cardId: string;
  pan: string;
  cvv: string;
  expiryMonth: number;
  expiryYear: number;
}

const issue = async (): Promise<string> =>
  (await bank.client.post("/cards/retail", { customerId })).body.data.cardId;

const secretsOf = async (cardId: string): Promise<Secrets> =>
  (await bank.client.get(`/cards/${cardId}/secure`)).body.data;

async function versionsOf(cardId: string): Promise<{ panHashKey: number; cvvKey: number }> {
  const { rows } = await bank.pool.query(
    `select pan_hash_key as "panHashKey", cvv_key as "cvvKey" from card_secrets where card_id = $1`,
    [cardId],
  );
  return rows[0];
}

/** How many values of each column an older key still seals. */
async function oldValues(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { table, column } of sealedColumns) {
    const { rows } = await bank.pool.query(
      `select ${column} as sealed from ${table} where ${column} is not null`,
    );
    const old = rows.filter(({ sealed }) => operator.vault.needsReseal(sealed));
    if (old.length > 0) counts[`${table}.${column}`] = old.length;
  }
  return counts;
}

test("after a rotation cards have the numbers, the CVVs and the look-ups they had", async () => {
  const old = await Promise.all([issue(), issue(), issue()]);
  const before = await Promise.all(old.map(secretsOf));
  await verifyIndividual(bank.client, bvn());
  await verifyIndividual(bank.client, passport());
  await verifyBusiness(bank.client, business());

  const { sealVersion, resealed } = await rotateKeys(operator, 3600);
  expect(sealVersion).toBe(2);
  expect(resealed).toBeGreaterThan(10);
  expect(await oldValues()).toEqual({});

  expect(await Promise.all(old.map(secretsOf))).toEqual(before);
  for (const { cardId, pan } of before) {
    expect(await findCardByPan({ reads, vault: operator.vault }, pan)).toMatchObject({
      organizationId: bank.organizationId,
      card: { cardId },
      cvvSource: { cvvKey: 1 },
    });
    expect(await versionsOf(cardId)).toEqual({ panHashKey: 1, cvvKey: 1 });
  }
});

test("the service takes up the new keys by itself, and cards of both stand side by side", async () => {
  await becomes(async () => versionsOf(await issue()), { panHashKey: 2, cvvKey: 2 });
  const card = await secretsOf(await issue());
  const found = await findCardByPan({ reads, vault: operator.vault }, card.pan);
  expect(found?.card.cardId).toBe(card.cardId);
  const { key } = await operator.vault.derivationKeyOf("cvv", 2);
  const expiry = { month: card.expiryMonth, year: card.expiryYear };
  expect(card.cvv).toBe(deriveCvv(key.subarray(0, 16), card.pan, expiry));

  await rotateKeys(operator, 3600);
  expect(await secretsOf(card.cardId)).toEqual(card);
  expect(await oldValues()).toEqual({});
});

test("a number that nobody has is nobody's", async () => {
  for (const pan of ["4111111111111111", "", "not a number"]) {
    expect(await findCardByPan({ reads, vault: operator.vault }, pan)).toBeUndefined();
  }
});

test("live clients do not notice", async () => {
  const { client } = bank;
  await rotateKeys(operator, 3600);
  expect(verdict(await client.get("/wallets"))).toBe("200/000");
  client.forgetToken();
  expect(verdict(await client.get("/wallets"))).toBe("200/000");
});

test("the rotation and what it sealed anew are on record", async () => {
  const { resealed, sealVersion, signingKeyId } = await rotateKeys(operator, 3600);
  const { rows } = await bank.pool.query(
    "select action, actor, detail from audit_log where action like 'keys.%' order by audit_id desc limit 2",
  );
  expect(rows.toSorted((a, b) => (a.action < b.action ? -1 : 1))).toEqual([
    { action: "keys.resealed", actor: "operator", detail: { sealVersion, resealed } },
    { action: "keys.rotated", actor: "operator", detail: { sealVersion, signingKeyId } },
  ]);
});

test("every column of sealed values is known to the rotation", async () => {
  const { rows } = await bank.pool.query(
    `select c.table_name || '.' || c.column_name as name from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name like '%\\_sealed'`,
  );
  const known = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  expect(known.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});
