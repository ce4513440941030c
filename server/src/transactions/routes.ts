import type { App } from "../http/app.ts";
import { CSV_TYPE, wantsCsv } from "../http/csv.ts";
import { ok } from "../http/envelope.ts";
import { describe } from "../http/openapi.ts";
import {
  exportTransactions,
  readTransaction,
  readTransactions,
  type TransactionDeps,
} from "./service.ts";
import { TransactionDetail, TransactionPath, TransactionsQuery } from "./wire.ts";

const ListTransactions = describe({
  operationId: "listTransactions",
  tag: "Transactions",
  summary: "List transactions",
  description:
    "Purchases and everything else that moved money of cards, newest first; filters combine. With " +
    "`Accept: text/csv` the answer is a CSV file of all that the filter matches; `limit` and `cursor` then " +
    "mean nothing.",
  querystring: TransactionsQuery,
  data: TransactionDetail.array(),
  paged: true,
  csv: true,
});

const GetTransaction = describe({
  operationId: "getTransaction",
  tag: "Transactions",
  summary: "Get a transaction",
  description:
    "One payment's whole life. A purchase comes with its decision: every check in order, with the one that " +
    "declined it.",
  params: TransactionPath,
  data: TransactionDetail,
});

export function transactionRoutes(api: App, deps: TransactionDeps): void {
  api.get("/transactions", { schema: ListTransactions }, async ({ caller, query, headers }) => {
    const { organizationId } = caller;
    if (!wantsCsv(headers.accept)) return readTransactions(deps, organizationId, query);
    const pieces = await exportTransactions(deps, organizationId, query);
    return { contentType: CSV_TYPE, pieces };
  });

  api.get("/transactions/:transactionId", { schema: GetTransaction }, async ({ caller, params }) =>
    ok(await readTransaction(deps, caller.organizationId, params.transactionId)),
  );
}
