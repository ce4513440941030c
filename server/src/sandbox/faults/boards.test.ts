import { expect, test } from "vitest";
import { type Fault, FaultBoard, faultNames } from "./board.ts";
import { FaultBoards } from "./boards.ts";

const all = faultNames.map(
  (fault): Fault =>
    fault === "DelayDeliveries" ? { fault, count: 2, seconds: 60 } : { fault, count: 2 },
);
const ofDeliveries = all.filter(({ fault }) => fault.endsWith("Deliveries"));

async function setAll(boards: FaultBoards): Promise<void> {
  for (const fault of all.toReversed()) await boards.set("org_1", fault);
}

test("faults of deliveries are kept where these are made, all others here; both are listed and ended", async () => {
  const [here, there] = [new FaultBoard(), new FaultBoard()];
  const boards = new FaultBoards(here, () => there);
  await setAll(boards);
  expect(there.list("org_1")).toEqual(ofDeliveries);
  expect(here.list("org_1")).toEqual(all.filter((fault) => !ofDeliveries.includes(fault)));
  expect(await boards.list("org_1")).toEqual(all);
  expect(await boards.list("org_2")).toEqual([]);
  await boards.clear("org_1");
  expect(await boards.list("org_1")).toEqual([]);
  expect([here.isEmpty, there.isEmpty]).toEqual([true, true]);
});

test("where nobody makes deliveries, their faults are kept all the same, and never strike", async () => {
  const here = new FaultBoard();
  const boards = new FaultBoards(here, () => undefined);
  await setAll(boards);
  expect(await boards.list("org_1")).toEqual(all);
  await boards.clear("org_1");
  expect(here.isEmpty).toBe(true);
});
