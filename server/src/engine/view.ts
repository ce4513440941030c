import type { Account, NewAccount } from "../ledger/accounts.ts";
import { isCounterAccount } from "../ledger/accounts.ts";
import type { BookedPosting, Posting } from "../ledger/postings.ts";
import type { Hold } from "./operation.ts";
import { BatchRows, type LoadedRows } from "./rows.ts";
import type { Load, RowChange, Table } from "./table.ts";

/** What an operation can see: the loaded rows of its own organization, with what was decided before it. */
export interface View {
  account(accountId: string): Account | undefined;
  row<Row extends object>(table: Table<Row>, id: string): Row | undefined;
  /** The rows that a need of this operation found, and those of its kind that were made since. */
  rows<Row extends object>(load: Load<Row>, key: string): Row[];
}

/** The rows of a whole batch. Decisions are applied here, one after another, before anything is written. */
export class BatchView {
  readonly rows: BatchRows;
  readonly #accounts = new Map<string, Account>();
  readonly #opened = new Set<Account>();
  readonly #touched = new Set<Account>();

  constructor(accounts: Account[], loaded: LoadedRows[] = []) {
    this.rows = new BatchRows(loaded);
    for (const account of accounts)
      this.#accounts.set(key(account.organizationId, account.accountId), account);
  }

  of(organizationId: string): View {
    return {
      account: (accountId) => this.#accounts.get(key(organizationId, accountId)),
      row: (table, id) => this.rows.find(table, organizationId, id),
      rows: (load, id) => this.rows.list(load, organizationId, id),
    };
  }

  open(organizationId: string, account: NewAccount): void {
    const opened = { ...account, organizationId, postedMinor: 0n, heldMinor: 0n };
    this.#accounts.set(key(organizationId, account.accountId), opened);
    this.#opened.add(opened);
  }

  /** Moves the balances and says what they became. */
  book(posting: Posting): BookedPosting {
    return {
      ...posting,
      debitBalanceMinor: this.#move(posting, posting.debitAccountId, -posting.amountMinor),
      creditBalanceMinor: this.#move(posting, posting.creditAccountId, posting.amountMinor),
    };
  }

  hold(organizationId: string, { accountId, deltaMinor }: Hold): void {
    const account = this.#accounts.get(key(organizationId, accountId));
    if (account === undefined) {
      throw new Error(`A hold on ${accountId}, which its operation did not ask for.`);
    }
    account.heldMinor += deltaMinor;
    this.#touched.add(account);
  }

  change(organizationId: string, change: RowChange): void {
    this.rows.change(organizationId, change);
  }

  /** The accounts that were not there before. */
  opened(): Account[] {
    return [...this.#opened];
  }

  /** The accounts whose balances differ from what was loaded. */
  touched(): Account[] {
    return [...this.#touched].filter((account) => !this.#opened.has(account));
  }

  #move(posting: Posting, accountId: string, deltaMinor: bigint): bigint | null {
    if (isCounterAccount(accountId)) return null;
    const account = this.#accounts.get(key(posting.organizationId, accountId));
    if (account === undefined) {
      throw new Error(
        `${posting.kind} posts to ${accountId}, which its operation did not ask for.`,
      );
    }
    account.postedMinor += deltaMinor;
    this.#touched.add(account);
    return account.postedMinor;
  }
}

const key = (organizationId: string, accountId: string): string => `${organizationId}/${accountId}`;
