import type { Connection } from "../db/pool.ts";
import type { TimeRange } from "../foundation/dates.ts";
import { firstId } from "../foundation/ids.ts";
import type { TransactionFilter } from "./filter.ts";
import { isRareCurrency, type Source, sourceOf } from "./sources.ts";
import { TRANSACTION_COLUMNS } from "./table.ts";
import type { Transaction } from "./transaction.ts";

/** A part of a list, newest first: how many, and before which one. */
export interface Stretch {
  rows: number;
  before?: string | undefined;
}

/** Some of an organization's transactions, newest first. First their ids are found in an index, then the rows. */
export async function listTransactions(
  db: Connection,
  organizationId: string,
  filter: TransactionFilter,
  stretch: Stretch,
): Promise<Transaction[]> {
  const { currency } = filter;
  const isRare = currency !== undefined && (await isRareCurrency(db, organizationId, currency));
  const source = sourceOf(filter, { isRareCurrency: isRare });
  if (source === undefined) return [];
  const { text, values } = idsQuery(source, organizationId, filter, stretch);
  const { rows } = await db.query<Transaction>(
    `select ${TRANSACTION_COLUMNS} from (${text}) as p
       join transactions t on t.organization_id = $1 and t.transaction_id = p.transaction_id
      order by t.transaction_id desc`,
    values,
  );
  return rows;
}

function idsQuery(
  { text, values }: Source,
  organizationId: string,
  { range }: TransactionFilter,
  { rows, before }: Stretch,
): { text: string; values: unknown[] } {
  return {
    text,
    values: [organizationId, lowest(range), highest(range, before), rows, ...values],
  };
}

/** A transaction's id has the time of its beginning, so that a time is a place in the order of ids. */
const lowest = ({ from }: TimeRange): string =>
  from === undefined ? "txn_" : firstId("txn", from.getTime());

function highest({ to }: TimeRange, before = "txn_~"): string {
  const end = to === undefined ? "txn_~" : firstId("txn", to.getTime());
  return end < before ? end : before;
}
