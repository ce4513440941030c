import { afterAll, beforeAll, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { sealedColumns } from "../src/identity/rotate-keys.ts";
import { reseal } from "../src/keys/reseal.ts";
import { verdict } from "./harness/answers.ts";
import { type Bank, openBank } from "./harness/bank.ts";
import { openCustomer } from "./harness/customers.ts";
import { openOperator } from "./harness/operator.ts";

/** More than a process has connections for. */
const MANY = 32;

let bank: Bank;
let operator: Core;
beforeAll(async () => {
  bank = await openBank();
  operator = await openOperator(bank.service);
});
afterAll(async () => {
  await operator.close();
  await bank.stop();
});

test("many may ask for whole numbers at the moment when keys are rotated", async () => {
  const customerId = await openCustomer(bank.pool, bank.organizationId);
  const cardId = (await bank.client.post("/cards/retail", { customerId })).body.data.cardId;
  const askForMany = async (): Promise<string[]> => {
    const path = `/cards/${cardId}/secure`;
    const answers = await Promise.all(Array.from({ length: MANY }, () => bank.client.get(path)));
    return [...new Set(answers.map(verdict))];
  };
  // So that all connections are open.
  for (let round = 0; round < 3; round++) expect(await askForMany()).toEqual(["200/000"]);
  // Numbers are sealed with a key that the service has not heard of yet.
  await operator.vault.addKey();
  for (const column of sealedColumns) {
    if (column.table === "card_secrets") await reseal(operator.pool, operator.vault, column);
  }
  expect(await askForMany()).toEqual(["200/000"]);
});
