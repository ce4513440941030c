import { expect, test } from "vitest";
import type { Fields, Message } from "../iso8583/fields.ts";
import { faultsOf } from "./check.ts";
import { Terminal } from "./terminal.ts";

const card = { pan: "4111111111111111", currency: "USD" } as const;
const request = new Terminal().purchase(card, 100n);
const answer = (change: Fields = {}): Message => ({
  mti: "0110",
  fields: { ...request.fields, 38: "ABC123", 39: "00", ...change },
});

test.each<[string, Fields, string[]]>([
  ["all in order", {}, []],
  ["a balance", { 54: "0002840C000000001234" }, []],
  ["another trace number", { 11: "000000" }, ["DE 11 is not what was sent"]],
  [
    "a response that is none",
    { 39: "ZZ" },
    ["DE 39 is none of the documented values", "a refusal has a DE 38"],
  ],
  ["a refusal with a code", { 39: "51" }, ["a refusal has a DE 38"]],
  ["another balance", { 54: "0001840C000000001234" }, ["DE 54 is not what is available"]],
])("%s", (_what, change, faults) => {
  expect(faultsOf(request, answer(change))).toEqual(faults);
});

test("an approval needs its code", () => {
  const { 38: _code, ...fields } = answer().fields;
  expect(faultsOf(request, { mti: "0110", fields })).toEqual(["an approval has no DE 38"]);
});
