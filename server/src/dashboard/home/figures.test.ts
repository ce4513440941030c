import { expect, test } from "vitest";
import { daysOf, declineReasonsOf } from "./figures.ts";
import { dayOf } from "./past-days.ts";
import type { DayRow } from "./store.ts";

const row = (change: Partial<DayRow>): DayRow => ({
  date: "2026-01-02",
  approved: true,
  responseCode: "000",
  currency: "USD",
  count: 1,
  amountMinor: 100n,
  ...change,
});

const rows = [
  row({ count: 2, amountMinor: 250n }),
  row({ currency: "EUR", amountMinor: 5n }),
  row({ approved: false, responseCode: "116", count: 3 }),
  row({ approved: false, responseCode: "141", count: 1 }),
  row({ date: "2026-01-04", approved: false, responseCode: "116", count: 1 }),
];

test("days are counted one by one, quiet ones too", () => {
  const first = dayOf(Date.parse("2026-01-02T00:00:00Z"));
  expect(daysOf(rows, first, first + 2)).toEqual([
    {
      date: "2026-01-02",
      approved: 3,
      declined: 4,
      approvedAmount: [
        { currency: "EUR", amount: 0.05 },
        { currency: "USD", amount: 2.5 },
      ],
    },
    { date: "2026-01-03", approved: 0, declined: 0, approvedAmount: [] },
    { date: "2026-01-04", approved: 0, declined: 1, approvedAmount: [] },
  ]);
});

test("the most frequent reason comes first", () => {
  expect(declineReasonsOf(rows)).toEqual([
    { responseCode: "116", message: "Insufficient funds", count: 4 },
    { responseCode: "141", message: "Restricted card", count: 1 },
  ]);
});
