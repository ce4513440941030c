import { afterAll, beforeAll, expect, test } from "vitest";
import { verdict } from "./harness/answers.ts";
import { type Bank, openBank } from "./harness/bank.ts";
import { execute } from "./harness/empty-database.ts";
import { scratchDatabase } from "./harness/scratch.ts";

/** None is what the service is used to, and two of them together turn days around. */
const SETTINGS = [
  "datestyle = 'SQL, DMY'",
  "timezone = 'Pacific/Kiritimati'",
  "default_transaction_isolation = 'serializable'",
  "array_nulls = off",
  "bytea_output = 'escape'",
];

let database: Awaited<ReturnType<typeof scratchDatabase>>;
let bank: Bank;
beforeAll(async () => {
  database = await scratchDatabase();
  const name = new URL(database.url).pathname.slice(1);
  for (const setting of SETTINGS) {
    await execute(database.url, `alter database ${name} set ${setting}`);
  }
  bank = await openBank({ FLORIN_DATABASE_URL: database.url });
});
afterAll(async () => {
  await bank.stop();
  await database.drop();
});

test("whatever the database prefers, purchases work and times are what they are", async () => {
  const { client } = bank;
  const begun = Date.now();
  const card = await bank.open();
  const topped = await client.post(`/cards/${card.cardId}/top-up`, { amount: 20 });
  expect(verdict(topped)).toBe("200/000");
  const merchant = { name: "Shop", mcc: "5411", country: "US", city: "Boston" };
  const bought = await client.post("/simulator/authorizations", {
    cardId: card.cardId,
    amount: 5,
    currency: "USD",
    merchant,
  });
  expect(verdict(bought)).toBe("200/000");
  const ended = Date.now();

  const from = new Date(begun).toISOString();
  const to = new Date(ended + 1).toISOString();
  for (const list of ["transactions", "events", `wallets/${await bank.walletId()}/entries`]) {
    const { body } = await client.get(`/${list}?from=${from}&to=${to}`);
    expect(body.data.length, list).toBeGreaterThan(0);
    for (const { createdAt } of body.data) {
      expect(Date.parse(createdAt), list).toBeGreaterThanOrEqual(begun);
      expect(Date.parse(createdAt), list).toBeLessThanOrEqual(ended);
    }
    expect((await client.get(`/${list}?from=${to}`)).body.data, list).toEqual([]);
  }
  await bank.expectProof();
});
