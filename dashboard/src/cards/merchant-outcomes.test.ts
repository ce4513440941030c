import type { MerchantOutcome } from "@florin/sdk";
import { expect, test } from "vitest";
import { refusedIn, sayTaken } from "./merchant-outcomes.ts";

const added = { mid: "SHOP1", result: "Added", responseCode: "000" } as const;
const listed = { mid: "SHOP2", result: "AlreadyListed", responseCode: "000" } as const;
const refused = { mid: "???", result: "Invalid", responseCode: "134" } as const;

test.each<[MerchantOutcome[], string | undefined, string[]]>([
  [[added, listed], "SHOP1 added; SHOP2 was on the list already", []],
  [[added, refused], "SHOP1 added", ["???"]],
  [[refused], undefined, ["???"]],
])("of %j it says %j, and that %j were refused", (outcomes, said, mids) => {
  expect(sayTaken(outcomes)).toBe(said);
  expect(refusedIn(outcomes)).toEqual(mids);
});
