import type { Csv } from "../csv.ts";
import type {
  DecidedTransaction,
  ListTransactionsQuery,
  RehearseAuthorizationBody,
  Transaction,
} from "../generated/openapi.ts";
import type { List } from "../list.ts";
import type { CallOptions } from "../options.ts";
import { type ReadOptions, Resource } from "./resource.ts";

/** Every payment from its decision to its settlement. */
export class Transactions extends Resource {
  list(query?: ListTransactionsQuery, options?: ReadOptions): List<Transaction> {
    return this.listing("listTransactions", { query }, options);
  }

  get(transactionId: string, options?: ReadOptions): Promise<Transaction> {
    return this.call("getTransaction", { params: { transactionId } }, options);
  }

  /** All that the filter matches, as a CSV file. */
  exportCsv(query?: ListTransactionsQuery, options?: ReadOptions): Csv {
    return this.csv("listTransactions", { query }, options);
  }

  /** How an authorization would be decided now. Nothing changes. */
  rehearse(body: RehearseAuthorizationBody, options?: CallOptions): Promise<DecidedTransaction> {
    return this.call("rehearseAuthorization", { body }, options);
  }
}
