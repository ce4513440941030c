import { afterAll, beforeAll } from "vitest";
import { type Bank, openBank } from "./bank.ts";
import { type Payments, paymentsOf } from "./payments.ts";

interface BankByDay {
  bank: Bank;
  payments: Payments;
}

/** A bank for the tests of a file and payments with its cards, on a day that does not end in the middle of a test. */
export function bankByDay(opened: (open: BankByDay) => void): void {
  let bank: Bank | undefined;
  beforeAll(async () => {
    bank = await openBank();
    const payments = paymentsOf(bank.client);
    await payments.leaveMidnight();
    opened({ bank, payments });
  });
  afterAll(() => bank?.stop());
}
