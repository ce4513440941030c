import { minorOf } from "../foundation/money.ts";
import type { Transaction } from "../transactions/transaction.ts";
import type { NetworkMessage } from "./message-table.ts";

type Noted = Pick<NetworkMessage, "requestType" | "amountMinor" | "confirms" | "createdAt">;

/**
 * A message as it would be recorded now. Before migration 0011 its amount was not, nor that it only confirmed what
 * files had posted by then: what it moved is among the payment's events, at its own time, unless it moved nothing.
 */
export function asRecordedNow<Message extends Noted>(
  message: Message,
  { events, currency }: Pick<Transaction, "events" | "currency">,
): Message & { amountMinor: bigint } {
  if (hasAmount(message)) return message;
  const { requestType, createdAt } = message;
  const at = createdAt.toISOString();
  const alike = events.filter((event) => event.requestType === requestType && event.at <= at);
  const own = alike.filter((event) => event.at === at).slice(0, 1);
  const told = own.length > 0 ? own : alike;
  return {
    ...message,
    amountMinor: told.reduce((sum, { amount }) => sum + minorOf(amount, currency), 0n),
    confirms: own.length === 0,
  };
}

const hasAmount = <Message extends Noted>(
  message: Message,
): message is Message & { amountMinor: bigint } => message.amountMinor !== null;
