import { expect, test } from "vitest";
import type { OperationId } from "./operation.ts";
import { changedFields } from "./same-payload.ts";

const TOLD = { cardId: "card_1", customerId: "cus_1", amount: 25.5, currency: "USD", balance: 7 };

test.each<[OperationId | undefined, unknown, string[]]>([
  ["topUpCard", { amount: 25.5 }, []],
  ["topUpCard", { amount: 25 }, ["amount"]],
  ["transferBetweenCards", { sourceCardId: "card_2", amount: 1 }, ["sourceCardId", "amount"]],
  ["simulateAuthorization", { cardId: "card_1", amount: 25.5 }, []], // The currency is the card's.
  ["simulateAuthorization", { cardId: "card_1", amount: 25.5, currency: "EUR" }, ["currency"]],
  ["issueRetailCard", { customerId: "cus_2" }, ["customerId"]],
  ["issueRetailCard", { customerId: "cus_1", initialBalance: 9 }, []], // The balance has moved on.
  ["freezeCard", undefined, []],
  [undefined, { amount: 1 }, []],
])("%s with %j differs in %j", (operationId, payload, expected) => {
  expect(changedFields(operationId, JSON.stringify(payload), TOLD)).toEqual(expected);
});
