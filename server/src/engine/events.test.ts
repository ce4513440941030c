import { expect, test } from "vitest";
import { insertEvents } from "./events.ts";

test("events of one commit have ids in the order in which they happened", () => {
  const events = Array.from({ length: 50 }, (_, n) => ({
    organizationId: "org_1",
    eventType: `type.${n}`,
    data: {},
  }));
  const { values = [] } = insertEvents(events, new Date(1_000));
  const ids = String(values[1]).slice(1, -1).split(",");
  expect(ids).toHaveLength(50);
  expect(ids).toEqual([...ids].sort());
});
