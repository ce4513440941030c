import { expect, test } from "vitest";
import type { Permission } from "../api/own-types.ts";
import { type CardAction, canReceive, possibleActions } from "./possible-actions.ts";

const retail = { type: "Retail", status: "Active", balance: 5 } as const;
const frozen = { ...retail, status: "Frozen" } as const;
const lite = { ...retail, type: "Lite" } as const;
const terminated = { ...retail, status: "Terminated" } as const;
const owing = { ...terminated, balance: -1 } as const;

const finance: Permission[] = ["cards.issue", "cards.money"];
const support: Permission[] = ["cards.issue", "cards.status", "cards.terminate"];
const owner: Permission[] = [...finance, ...support];

const money: CardAction[] = ["top-up", "withdraw", "transfer"];

test.each<[Parameters<typeof possibleActions>[0], Permission[], CardAction[]]>([
  [retail, owner, [...money, "reissue", "freeze", "terminate"]],
  [retail, finance, [...money, "reissue"]],
  [retail, support, ["reissue", "freeze", "terminate"]],
  [retail, [], []],
  [frozen, owner, ["top-up", "reissue", "unfreeze", "terminate"]],
  [frozen, finance, ["top-up", "reissue"]],
  [lite, owner, ["freeze", "terminate"]],
  // Nothing at all, so that there is no menu.
  [lite, finance, []],
  [terminated, owner, []],
  [owing, owner, ["regularize"]],
  [owing, support, []],
])("with %o whoever has %j can do %j", (card, permissions, actions) => {
  expect(possibleActions(card, (permission) => permissions.includes(permission))).toEqual(actions);
});

const other = { cardId: "crd_2", currency: "USD", type: "Retail", status: "Active" } as const;

test.each([
  [true, {}],
  [true, { status: "Frozen" }],
  [true, { type: "Corporate" }],
  [false, { cardId: "crd_1" }],
  [false, { currency: "NGN" }],
  [false, { type: "Lite" }],
  [false, { status: "Terminated" }],
] as const)("it is %o that a card with %j can be sent money", (can, change) => {
  expect(canReceive({ cardId: "crd_1", currency: "USD" }, { ...other, ...change })).toBe(can);
});
