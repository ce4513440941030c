import fc from "fast-check";
import { expect, test } from "vitest";
import { type Fault, FaultBoard, type FaultName, faultNames } from "./board.ts";

const counted = (fault: FaultName, count: number): Fault =>
  fault === "DelayDeliveries" ? { fault, count, seconds: 60 } : { fault, count };

test("a fault strikes as often as it was asked for, for whoever asked", () => {
  const fault = fc.record({
    name: fc.constantFrom(...faultNames),
    count: fc.nat(50).map((n) => n + 1),
  });
  fc.assert(
    fc.property(fault, ({ name, count }) => {
      const board = new FaultBoard();
      board.set("org_1", counted(name, count));
      expect(board.take("org_2", [name])).toBeUndefined();
      for (let left = count; left > 0; left--) {
        expect(board.list("org_1")).toEqual([counted(name, left)]);
        expect(board.take("org_1", [name])?.fault).toBe(name);
      }
      expect(board.take("org_1", [name])).toBeUndefined();
      expect(board.isEmpty).toBe(true);
    }),
  );
});

test("only one of the kinds asked for strikes, the first that is set", () => {
  const board = new FaultBoard();
  board.set("org_1", counted("KycSlow", 1));
  board.set("org_1", counted("KycDown", 1));
  const names = ["DropDeliveries", "KycDown", "KycSlow"] as const;
  expect(board.take("org_1", names)?.fault).toBe("KycDown");
  expect(board.list("org_1")).toEqual([counted("KycSlow", 1)]);
});

test("asking again replaces, clearing ends all of one organization", () => {
  const board = new FaultBoard();
  board.set("org_1", counted("CutConnection", 5));
  board.set("org_1", counted("CutConnection", 2));
  board.set("org_1", counted("DelayDeliveries", 1));
  board.set("org_2", counted("KycDown", 1));
  expect(board.list("org_1")).toEqual([counted("CutConnection", 2), counted("DelayDeliveries", 1)]);
  board.clear("org_1");
  expect(board.list("org_1")).toEqual([]);
  expect(board.list("org_2")).toEqual([counted("KycDown", 1)]);
});
