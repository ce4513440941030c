import type { WalletEntry } from "@florin/sdk";
import { expect, test } from "vitest";
import { entryName } from "./names.ts";

test.each([
  // Of a purchase, mostly; a transaction that is a settlement by itself is a force post.
  ["Settlement", "Settlement"],
  ["TerminationPayout", "Payout at termination"],
  ["SomethingNew", "Something new"],
])("an entry of kind %s is called %s", (kind, name) => {
  expect(entryName(kind as WalletEntry["kind"])).toBe(name);
});
