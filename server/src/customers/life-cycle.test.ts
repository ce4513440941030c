import { expect, test } from "vitest";
import { customerAfter, isDecided, type KycStatus, kycStatuses, stepsTo } from "./life-cycle.ts";

test.each<[KycStatus, KycStatus, KycStatus[]]>([
  ["Initiated", "Initiated", []],
  ["Initiated", "Pending", ["Pending"]],
  ["Initiated", "Approved", ["Pending", "Approved"]],
  ["Initiated", "Rejected", ["Pending", "Rejected"]],
  ["Pending", "Initiated", []],
  ["Pending", "Pending", []],
  ["Pending", "Approved", ["Approved"]],
  ["Pending", "Rejected", ["Rejected"]],
])("from %s to %s the steps are %j", (current, target, steps) => {
  expect(stepsTo(current, target)).toEqual(steps);
});

test("what is decided stays so", () => {
  expect(kycStatuses.filter(isDecided)).toEqual(["Approved", "Rejected"]);
  for (const decided of kycStatuses.filter(isDecided)) {
    for (const target of kycStatuses) expect(stepsTo(decided, target)).toEqual([]);
  }
});

const MINE = "kyc_mine";
const OTHER = "kyc_other";

test.each<[KycStatus, string, KycStatus, "new" | "old", "Adopt" | "Follow" | "Keep"]>([
  ["Initiated", MINE, "Pending", "old", "Follow"],
  ["Pending", MINE, "Rejected", "old", "Follow"],
  ["Pending", MINE, "Approved", "old", "Adopt"],
  ["Pending", OTHER, "Approved", "old", "Adopt"], // an older submission may be approved later
  ["Pending", OTHER, "Rejected", "old", "Keep"], // it was replaced by a newer one
  ["Rejected", OTHER, "Initiated", "new", "Adopt"],
  ["Pending", OTHER, "Rejected", "new", "Adopt"],
  ["Rejected", OTHER, "Approved", "new", "Adopt"],
  ["Approved", OTHER, "Initiated", "new", "Keep"],
  ["Approved", OTHER, "Rejected", "new", "Keep"],
  ["Approved", MINE, "Pending", "old", "Keep"],
  ["Approved", OTHER, "Approved", "new", "Adopt"], // with the newest details
])("a customer %s by %s, a verification %s (%s): %s", (status, kycToken, step, age, expected) => {
  const verification = { kycToken: MINE, status: step };
  expect(customerAfter({ status, kycToken }, verification, age === "new")).toBe(expected);
});
