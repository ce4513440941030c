import { expect, test } from "vitest";
import type { TransactionEvent } from "../transactions/transaction.ts";
import { asRecordedNow } from "./past-message.ts";

const at = (second: number): string => `2026-01-31T12:00:0${second}.000Z`;
const event = (second: number, requestType: string, amount: number): TransactionEvent => ({
  requestType,
  amount,
  responseCode: "000",
  at: at(second),
});
const events = [
  event(0, "Authorization", 20),
  event(1, "Settlement", 8),
  event(2, "Settlement", 12),
  event(3, "Refund", 3),
  event(5, "Settlement", 1),
];

test.each<[string, number, bigint | null, { amountMinor: bigint; confirms: boolean }]>([
  ["has its amount", 2, 5_00n, { amountMinor: 5_00n, confirms: false }],
  ["moved something", 2, null, { amountMinor: 12_00n, confirms: false }],
  ["only confirmed what files had posted", 4, null, { amountMinor: 20_00n, confirms: true }],
])("a message that %s", (_what, second, amountMinor, expected) => {
  const message = { requestType: "Settlement", amountMinor, confirms: false } as const;
  const createdAt = new Date(at(second));
  expect(asRecordedNow({ ...message, createdAt }, { events, currency: "USD" })).toEqual({
    ...message,
    createdAt,
    ...expected,
  });
});
