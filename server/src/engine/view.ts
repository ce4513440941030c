import type { Account, Hold, NewAccount } from "../ledger/accounts.ts";
import { isCounterAccount } from "../ledger/accounts.ts";
import type { BookedPosting, Posting } from "../ledger/postings.ts";
import { BatchRows, type LoadedRows } from "./rows.ts";
import type { Load, Need, RowChange, Table } from "./table.ts";

/** What an operation can see: the loaded rows of its own organization, with what was decided before it. */
export interface View {
  account(accountId: string): Account | undefined;
  row<Row extends object>(table: Table<Row>, id: string): Row | undefined;
  /**
   * The rows that a load finds, with those of its kind that were made since. What the operation's needs do not name
   * is read when it is asked for, in a trip of its own: that is for what is seldom wanted.
   */
  rows<Row extends object>(load: Load<Row>, key: string): Row[];
  /** Asks for several at once, so that those not named before take one trip together. */
  want(needs: readonly Need[]): void;
  /** The rows that a locked account and its annexes keep of a table. */
  keptIn<Row extends object>(table: Table<Row>, accountId: string): Row[];
}

/** The rows of a whole batch. Decisions are applied here, one after another, before anything is written. */
export class BatchView {
  readonly rows: BatchRows;
  readonly #accounts = new Map<string, Account>();
  /** Keys of the accounts that this batch opens. */
  readonly #opened = new Set<string>();
  readonly #touched = new Set<string>();

  constructor(accounts: Account[], loaded: LoadedRows[] = []) {
    this.rows = new BatchRows(loaded, accounts);
    for (const account of accounts)
      this.#accounts.set(key(account.organizationId, account.accountId), account);
  }

  of(organizationId: string): View {
    return {
      account: (accountId) => this.#accounts.get(key(organizationId, accountId)),
      row: (table, id) => this.rows.find(table, organizationId, id),
      rows: (load, id) => this.rows.list(load, organizationId, id),
      want: (needs) => this.rows.want(organizationId, needs),
      keptIn: (table, accountId) => this.rows.keptIn(table, organizationId, accountId),
    };
  }

  open(organizationId: string, { accountId, kind, currency }: NewAccount): void {
    const at = key(organizationId, accountId);
    const opened = { organizationId, accountId, kind, currency, postedMinor: 0n, heldMinor: 0n };
    this.#accounts.set(at, opened);
    this.#opened.add(at);
  }

  /** Moves the balances and says what they became. */
  book(
    organizationId: string,
    posting: Omit<Posting, "organizationId">,
    reference: string | undefined,
  ): BookedPosting {
    const { debitAccountId, creditAccountId, amountMinor } = posting;
    // Field by field: copying the rest of an object is slow, and this is done for all that moves.
    return {
      organizationId,
      entryId: posting.entryId,
      kind: posting.kind,
      debitAccountId,
      creditAccountId,
      amountMinor,
      currency: posting.currency,
      transactionId: posting.transactionId,
      reference: posting.reference ?? reference,
      debitBalanceMinor: this.#move(organizationId, posting.kind, debitAccountId, -amountMinor),
      creditBalanceMinor: this.#move(organizationId, posting.kind, creditAccountId, amountMinor),
    };
  }

  hold(organizationId: string, { accountId, deltaMinor }: Hold): void {
    const at = key(organizationId, accountId);
    const account = this.#accounts.get(at);
    if (account === undefined) {
      throw new Error(`A hold on ${accountId}, which its operation did not ask for.`);
    }
    this.#replace(at, account, { heldMinor: account.heldMinor + deltaMinor });
  }

  change(organizationId: string, change: RowChange): void {
    this.rows.change(organizationId, change);
  }

  /** Puts what was decided about kept rows into their accounts and annexes, before these are written. */
  keepInAccounts(): void {
    for (const kept of this.rows.kept()) {
      const { organizationId, accountId, annexId, table, rows } = kept;
      const at = key(organizationId, accountId);
      const account = this.#accounts.get(at);
      if (account === undefined) {
        throw new Error(`Rows of ${table} in ${accountId}, which their operation did not ask for.`);
      }
      if (annexId === undefined) {
        this.#replace(at, account, { kept: { ...account.kept, [table]: rows } });
        continue;
      }
      this.rows.keepInAnnex(organizationId, annexId, kept);
      if (account.kept?.annexes !== true) {
        this.#replace(at, account, { kept: { ...account.kept, annexes: true } });
      }
    }
  }

  /** The accounts that were not there before. */
  opened(): Account[] {
    return this.#under([...this.#opened]);
  }

  /** The accounts that differ from what was loaded. */
  touched(): Account[] {
    return this.#under([...this.#touched].filter((at) => !this.#opened.has(at)));
  }

  #under(keys: readonly string[]): Account[] {
    return keys.flatMap((at) => this.#accounts.get(at) ?? []);
  }

  #move(
    organizationId: string,
    kind: string,
    accountId: string,
    deltaMinor: bigint,
  ): bigint | null {
    if (isCounterAccount(accountId)) return null;
    const at = key(organizationId, accountId);
    const account = this.#accounts.get(at);
    if (account === undefined) {
      throw new Error(`${kind} posts to ${accountId}, which its operation did not ask for.`);
    }
    const postedMinor = account.postedMinor + deltaMinor;
    this.#replace(at, account, { postedMinor });
    return postedMinor;
  }

  /** Never changed in place: answers of earlier operations hold the account as they left it. */
  #replace(
    at: string,
    account: Account,
    {
      postedMinor = account.postedMinor,
      heldMinor = account.heldMinor,
      kept = account.kept,
    }: Partial<Account>,
  ): void {
    const { organizationId, accountId, kind, currency, ctid } = account;
    // Field by field: copying an object and changing the copy is slow, and this is done for all that moves.
    this.#accounts.set(at, {
      organizationId,
      accountId,
      kind,
      currency,
      postedMinor,
      heldMinor,
      kept,
      ctid,
    });
    this.#touched.add(at);
  }
}

const key = (organizationId: string, accountId: string): string => `${organizationId}/${accountId}`;
