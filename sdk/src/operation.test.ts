import { expect, test } from "vitest";
import { findOperation } from "./operation.ts";

test.each([
  ["GET", "/api/v1/cards", "listCards", {}],
  ["GET", "/api/v1/cards/card_1", "getCard", { cardId: "card_1" }],
  ["POST", "/api/v1/cards/card_1/top-up", "topUpCard", { cardId: "card_1" }],
  ["GET", "/api/v1/requests/a%2Fb", "readRequest", { reference: "a/b" }],
  ["GET", "/api/v1/requests/%", "readRequest", { reference: "%" }], // Nobody is kept from asking nonsense.
])("%s %s is %s", (method, path, operationId, params) => {
  expect(findOperation(method, path)).toEqual({ operationId, params });
});

test.each([
  ["PUT", "/api/v1/cards"],
  ["GET", "/api/v1/nowhere"],
  ["GET", "/api/v1/cards/card_1/top-up/more"],
])("%s %s is none", (method, path) => {
  expect(findOperation(method, path)).toBeUndefined();
});
