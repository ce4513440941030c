import { expect, test } from "vitest";
import { type RejectLabel, rejected, rejectLabels, rejectMeanings } from "./reject.ts";

test.each<[RejectLabel[], "FINAL" | "RETRY" | undefined, string, RejectLabel[]]>([
  [["NAME_MISMATCH"], undefined, "RETRY", ["NAME_MISMATCH"]],
  [["UNREADABLE", "FORGERY"], undefined, "FINAL", ["FORGERY", "UNREADABLE"]],
  [["FORGERY"], "RETRY", "RETRY", ["FORGERY"]],
  [
    ["OTHER", "DOB_MISMATCH", "OTHER", "NAME_MISMATCH"],
    "FINAL",
    "FINAL",
    ["NAME_MISMATCH", "DOB_MISMATCH", "OTHER"],
  ],
  [[], undefined, "RETRY", ["OTHER"]],
])("%j as %s is a %s rejection with %j", (reasons, type, rejectType, labels) => {
  expect(rejected(reasons, type)).toEqual({ status: "Rejected", rejectType, rejectLabels: labels });
});

test("what nobody can correct is final", () => {
  const final = rejectLabels.filter((label) => rejected([label]).rejectType === "FINAL");
  expect(final.sort()).toEqual([
    "DUPLICATE",
    "FORGERY",
    "RISK",
    "SANCTIONS",
    "UNDERAGE",
    "UNSUPPORTED_REGION",
  ]);
});

test("every label has a meaning in one line", () => {
  expect(rejectLabels.length).toBeGreaterThan(0);
  for (const label of rejectLabels) expect(rejectMeanings[label]).toMatch(/^[A-Z][^\n]*\.$/);
});
