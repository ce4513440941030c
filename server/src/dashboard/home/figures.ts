import { messageOf } from "../../foundation/codes.ts";
import { formatAmount } from "../../foundation/money.ts";
import { dateOf } from "./past-days.ts";
import type { DayRow } from "./store.ts";

/** Approvals and declines of each day, days without any included. */
export function daysOf(rows: readonly DayRow[], firstDay: number, lastDay: number) {
  return Array.from({ length: lastDay - firstDay + 1 }, (_, index) => {
    const date = dateOf(firstDay + index);
    const own = rows.filter((row) => row.date === date);
    const approved = own.filter((row) => row.approved);
    const declined = own.filter((row) => !row.approved);
    return {
      date,
      approved: sum(approved),
      declined: sum(declined),
      approvedAmount: amountsOf(approved),
    };
  });
}

/** Why purchases were declined, the most frequent reason first. */
export function declineReasonsOf(rows: readonly DayRow[]) {
  const counts = new Map<string, number>();
  for (const { approved, responseCode, count } of rows) {
    if (!approved) counts.set(responseCode, (counts.get(responseCode) ?? 0) + count);
  }
  return [...counts]
    .sort(([codeA, a], [codeB, b]) => b - a || codeA.localeCompare(codeB))
    .map(([responseCode, count]) => ({ responseCode, message: messageOf(responseCode), count }));
}

const sum = (rows: readonly DayRow[]): number => rows.reduce((all, { count }) => all + count, 0);

function amountsOf(rows: readonly DayRow[]) {
  const totals = new Map<DayRow["currency"], bigint>();
  for (const { currency, amountMinor } of rows) {
    totals.set(currency, (totals.get(currency) ?? 0n) + amountMinor);
  }
  return [...totals]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([currency, minor]) => ({ currency, amount: formatAmount(minor, currency) }));
}
