import type { Statement } from "../../db/lane.ts";
import type { RowKey } from "../../engine/table.ts";
import { describeBegun } from "../../transactions/begun.ts";
import { transactionById } from "../../transactions/table.ts";
import type { Transaction } from "../../transactions/transaction.ts";

/** An event as it is stored. */
export interface Kept {
  organizationId: string;
  createdAt: Date;
  /** The payment whose beginning it tells, if so: then `data` has only what the payment has not. */
  begins: string | null;
}

type Ask = (statement: Statement) => Promise<Transaction[]>;

/** What events tell, all of it, in their order; `dataOf` is what each has kept. */
export async function wholeData<Event extends Kept>(
  events: readonly Event[],
  dataOf: (event: Event) => object,
  ask: Ask,
): Promise<object[]> {
  const keys = events.flatMap(({ organizationId, begins }): RowKey[] =>
    begins === null ? [] : [{ organizationId, id: begins }],
  );
  const payments = keys.length === 0 ? [] : await ask(transactionById.statement(keys));
  const byId = new Map(payments.map((payment) => [payment.transactionId, payment]));
  return events.map((event) => {
    const data = dataOf(event);
    const payment = event.begins === null ? undefined : byId.get(event.begins);
    return payment === undefined
      ? data
      : describeBegun(payment, { createdAt: event.createdAt, data });
  });
}
