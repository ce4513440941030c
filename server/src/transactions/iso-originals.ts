import { keyColumns, type Load } from "../engine/table.ts";
import { ISO_REFERENCE, isoNameOf, retrievalKey, traceKey } from "./iso-name.ts";
import { TRANSACTION_COLUMNS, transactions } from "./table.ts";
import type { Transaction } from "./transaction.ts";

/** What an original is looked up by, written as in the indexes, so that these are used. */
export type OriginalIndex = "trace" | "retrieval";
const expressions: Record<OriginalIndex, string> = {
  trace: `(organization_id || ' ' || card_id || ' T' || right(network_reference, 16)) collate "C"`,
  retrieval: `(organization_id || ' ' || card_id || ' R' ||
               left(right(network_reference, 28), 12)) collate "C"`,
};

/** What is long and begins with a digit is in the indexes: cheaper to find out than the whole pattern. */
export const IS_INDEXED = `network_reference collate "C" < ':' and length(network_reference) > 28`;

/** A card may have paid under one name more than once; the latest are meant, and more are not looked at. */
const MOST = 20;

/**
 * Finds payments `t` of cards for keys `k` of an organization and an id: a card, a blank, one letter and
 * what is looked up. `offset 0` keeps the planner from going through all payments in order.
 */
export const originalsFrom = (index: OriginalIndex): string => `
  unnest($1::text[], $2::text[]) as k(organization_id, id)
   cross join lateral (
     select * from (
       select * from transactions
        where ${expressions[index]} = k.organization_id || ' ' || k.id
          and ${IS_INDEXED} and network_reference ~ '${ISO_REFERENCE}' offset 0) o
      order by transaction_id desc limit ${MOST}) t`;

/** The key under which a payment is found as an original; nothing looks for the key of one without an ISO name. */
export function originalKeyOf(
  index: OriginalIndex,
  { cardId, networkReference }: Pick<Transaction, "cardId" | "networkReference">,
): string {
  const name = isoNameOf(networkReference);
  if (name === undefined) return cardId;
  return `${cardId} ${index === "trace" ? traceKey(name) : retrievalKey(name)}`;
}

function loadBy(index: OriginalIndex): Load<Transaction> {
  return {
    table: transactions,
    keyOf: (transaction) => originalKeyOf(index, transaction),
    statement: (keys) => ({
      name: `payments_by_${index}`,
      text: `select ${TRANSACTION_COLUMNS} from ${originalsFrom(index)}`,
      values: keyColumns(keys),
    }),
  };
}

/** Payments of a card by the message that began them. */
export const paymentsByTrace = loadBy("trace");

/** Payments of a card by what their acquirer calls them. */
export const paymentsByRetrieval = loadBy("retrieval");
