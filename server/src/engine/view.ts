import type { Account } from "../ledger/accounts.ts";
import { isCounterAccount } from "../ledger/accounts.ts";
import type { BookedPosting, Posting } from "../ledger/postings.ts";

/** What an operation can see: the loaded rows of its own organization, with what was decided before it. */
export interface View {
  account(accountId: string): Account | undefined;
}

/** The rows of a whole batch. Decisions are applied here, one after another, before anything is written. */
export class BatchView {
  readonly #accounts = new Map<string, Account>();
  readonly #touched = new Set<Account>();

  constructor(accounts: Account[]) {
    for (const account of accounts)
      this.#accounts.set(key(account.organizationId, account.accountId), account);
  }

  of(organizationId: string): View {
    return { account: (accountId) => this.#accounts.get(key(organizationId, accountId)) };
  }

  /** Moves the balances and says what they became. */
  book(posting: Posting): BookedPosting {
    return {
      ...posting,
      debitBalanceMinor: this.#move(posting, posting.debitAccountId, -posting.amountMinor),
      creditBalanceMinor: this.#move(posting, posting.creditAccountId, posting.amountMinor),
    };
  }

  /** The accounts whose balances differ from what was loaded. */
  touched(): Account[] {
    return [...this.#touched];
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
