import { expect, test } from "vitest";
import { advance } from "./expiry.ts";
import type { Sighting, Sweep } from "./expiry-store.ts";

const sweep: Sweep = { organizationId: "org_1", holdDays: 7, sweptTo: "txn_0", end: "txn_9" };

const seen = (transactionId: string, kind: "over" | "open" | "other", isEnd = false): Sighting => ({
  organizationId: "org_1",
  holdDays: 7,
  transactionId,
  isHeld: kind !== "other",
  isOver: kind === "over",
  isEnd,
});

test.each<[string, Sighting[], string[], sweptTo: string, isDone: boolean]>([
  ["nothing is held: all is swept", [], [], "txn_9", true],
  ["all that is held is over", [seen("txn_1", "over")], [], "txn_9", true],
  [
    "there is more behind",
    [seen("txn_1", "over"), seen("txn_5", "other", true)],
    [],
    "txn_5",
    false,
  ],
  ["the last one is a hold itself", [seen("txn_5", "over", true)], [], "txn_5", false],
  // Its id is a moment older than its hold.
  ["one is not over yet", [seen("txn_1", "over"), seen("txn_2", "open")], [], "txn_2", true],
  ["one is stuck", [seen("txn_1", "over"), seen("txn_2", "over")], ["txn_1"], "txn_1", true],
  [
    "one is stuck with more behind",
    [seen("txn_1", "over"), seen("txn_5", "other", true)],
    ["txn_1"],
    "txn_1",
    true,
  ],
])("%s", (_what, sightings, stuck, sweptTo, isDone) => {
  expect(advance(sweep, sightings, new Set(stuck))).toEqual({ ...sweep, sweptTo, isDone });
});
