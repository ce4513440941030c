import { expect, test } from "vitest";
import { pathOf } from "./caller.ts";

test.each([
  ["/api/v1/cards", "/api/v1/cards"],
  ["/api/v1/cards?customerId=4111111111111111", "/api/v1/cards"],
  ["/api/v1/cards/4111111111111111/freeze", "/api/v1/cards/****************/freeze"],
  ["/api/v1/cards/card_4111111111111111", "/api/v1/cards/card_****************"],
  ["/api/v1/requests/22222222222", "/api/v1/requests/***********"],
  ["/api/v1/requests/2222222222", "/api/v1/requests/2222222222"],
  // An id of ours, however many of its characters are digits.
  [
    "/api/v1/cards/card_00000000000000000000000000",
    "/api/v1/cards/card_00000000000000000000000000",
  ],
  [
    "/api/v1/cards/card_01234567890123456789abcdef/top-up?x=1",
    "/api/v1/cards/card_01234567890123456789abcdef/top-up",
  ],
  // Longer than one of ours.
  ["/cards/card_00000000000000000000000000000", "/cards/card_*****************************"],
])("the path of %s is stored as %s", (target, path) => {
  expect(pathOf(target)).toBe(path);
});
