import { type DescribedDecision, describeDecision } from "../authorization/trace.ts";
import type { Pool } from "../db/pool.ts";
import type { Reads } from "../db/reads.ts";
import { scopedKey } from "../db/scoped-key.ts";
import { searchInTurn, searchInTurnHoweverLate } from "../db/searches.ts";
import { readRange } from "../foundation/dates.ts";
import { Failure } from "../foundation/failure.ts";
import { isId } from "../foundation/ids.ts";
import { CSV_PIECE_ROWS, csvPieces } from "../http/csv.ts";
import type { Ok, Streamed } from "../http/envelope.ts";
import { pageOf, rowsFor } from "../http/pagination.ts";
import { type DescribedTransaction, describeTransaction } from "./describe.ts";
import type { TransactionFilter } from "./filter.ts";
import { listTransactions } from "./list.ts";
import { shownTransaction } from "./store.ts";
import type { Transaction } from "./transaction.ts";
import { CSV_HEAD, cellsOf, type TransactionsRequest } from "./wire.ts";

export interface TransactionDeps {
  pool: Pool;
  reads: Reads;
}

export type DetailedTransaction = DescribedTransaction & { decision?: DescribedDecision };

/** A payment with the decision that it began with; refuses what is no transaction of this organization. */
export async function readTransaction(
  { reads }: TransactionDeps,
  organizationId: string,
  transactionId: string,
): Promise<DetailedTransaction> {
  const [found] = isId("txn", transactionId)
    ? await reads.ask(shownTransaction, scopedKey(organizationId, transactionId))
    : [];
  if (found === undefined) throw new Failure("UNABLE_TO_LOCATE_RECORD");
  const { decision } = found;
  return {
    ...describeTransaction(found),
    ...(decision === null ? {} : { decision: describeDecision(decision) }),
  };
}

/** One page of transactions, newest first. */
export async function readTransactions(
  { pool }: TransactionDeps,
  organizationId: string,
  request: TransactionsRequest,
): Promise<Ok<DescribedTransaction[]>> {
  const { limit, cursor, ...filter } = request;
  const page = { limit, cursor };
  const stretch = { rows: rowsFor(page), before: cursor };
  const wanted = filterOf(filter);
  const rows = await searchInTurn(pool, organizationId, () =>
    listTransactions(pool, organizationId, wanted, stretch),
  );
  return pageOf(rows, page, ({ transactionId }) => transactionId, describeTransaction);
}

/** All transactions that match as CSV, read from the database as fast as they are taken. */
export async function exportTransactions(
  { pool }: TransactionDeps,
  organizationId: string,
  request: TransactionsRequest,
): Promise<Streamed["pieces"]> {
  const filter = filterOf(request);
  const read = (before?: string): Promise<Transaction[]> =>
    listTransactions(pool, organizationId, filter, { rows: CSV_PIECE_ROWS, before });
  // What is wrong with the database shows here, while it can still be told.
  const first = await searchInTurn(pool, organizationId, () => read());
  return (gone) =>
    csvPieces(CSV_HEAD, first, {
      cellsOf,
      readAfter: ({ transactionId }) =>
        searchInTurnHoweverLate(pool, organizationId, gone, () => read(transactionId)),
    });
}

function filterOf(request: Omit<TransactionsRequest, "limit" | "cursor">): TransactionFilter {
  const { from, to, cardId, customerId, type, stage, currency, approved } = request;
  const range = readRange({ from, to });
  return { cardId, customerId, type, stage, currency, approved, range };
}
