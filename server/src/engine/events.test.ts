import { expect, test } from "vitest";
import { insertEvents } from "./events.ts";

test("events of one commit have ids in the order in which they happened", () => {
  const events = Array.from({ length: 50 }, (_, n) => ({
    organizationId: "org_1",
    eventType: `type.${n}`,
    data: {},
  }));
  const [written, noted] = insertEvents(events, new Date(1_000));
  const ids = (written?.copy ?? "")
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t")[1]);
  expect(noted?.values).toEqual([`{"org_1"}`, `{"${ids.join(" ")}"}`, "{50}"]);
  expect(ids).toHaveLength(50);
  expect(ids).toEqual([...ids].sort());
});
