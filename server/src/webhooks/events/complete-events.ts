import type { Statement } from "../../db/lane.ts";
import type { RowKey } from "../../engine/table.ts";
import { transactionById } from "../../transactions/table.ts";
import type { Transaction } from "../../transactions/transaction.ts";

/** An event as it is stored. */
export interface Kept {
  organizationId: string;
  createdAt: Date;
  opensTransactionId: string | null;
}

/** Completes events with the payments that they open; the others are complete as they are. */
export async function completeEvents<Event extends Kept>(
  events: readonly Event[],
  ask: (statement: Statement) => Promise<Transaction[]>,
  addPayment: (event: Event, payment: Transaction) => Event,
): Promise<Event[]> {
  const keys = new Map<string, RowKey>();
  for (const { organizationId, opensTransactionId: id } of events) {
    if (id !== null) keys.set(id, { organizationId, id });
  }
  const payments = keys.size === 0 ? [] : await ask(transactionById.statement([...keys.values()]));
  const byId = new Map(payments.map((payment) => [payment.transactionId, payment]));
  return events.map((event) => {
    const { opensTransactionId: id } = event;
    if (id === null) return event;
    const payment = byId.get(id);
    // Better not told than told by half; the audit finds it too.
    if (payment === undefined) throw new Error(`The payment ${id} of an event is gone.`);
    return addPayment(event, payment);
  });
}
