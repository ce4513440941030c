import { numberArray, textArray } from "../db/arrays.ts";
import type { Statement } from "../db/lane.ts";
import type { Currency } from "../foundation/currencies.ts";

/** Accounts that keep a balance: what organizations and cardholders own. */
export interface Account {
  organizationId: string;
  accountId: string;
  kind: "Wallet" | "Card";
  currency: Currency;
  /** Credits minus debits. */
  postedMinor: bigint;
  /** Reserved by open authorizations. */
  heldMinor: bigint;
}

/** An account about to be opened, with nothing in it. */
export type NewAccount = Pick<Account, "accountId" | "kind" | "currency">;

/** Reserves money of an account, or gives it back when below zero. */
export interface Hold {
  accountId: string;
  deltaMinor: bigint;
}

export const availableMinor = (account: Account): bigint => account.postedMinor - account.heldMinor;

/** The other side of an organization's books. They keep no balance, so nobody waits for them. */
export type CounterKind = "Deposits" | "Clearing" | "Fees";

export const counterKinds: readonly CounterKind[] = ["Deposits", "Clearing", "Fees"];

/** Named, not generated: an organization has one of each kind and currency. */
export const counterAccount = (kind: CounterKind, currency: Currency): string =>
  `${kind}:${currency}`;

export const isCounterAccount = (accountId: string): boolean => accountId.includes(":");

export interface AccountKey {
  organizationId: string;
  accountId: string;
}

/** Locks in the order given and reads each row as it is once locked. Keys come sorted. */
export function lockAccounts(keys: AccountKey[]): Statement {
  return {
    name: "accounts_lock",
    text: `
      select a.organization_id as "organizationId", a.account_id as "accountId", a.kind, a.currency,
             a.posted_minor as "postedMinor", a.held_minor as "heldMinor"
        from unnest($1::text[], $2::text[]) as k(organization_id, account_id)
       cross join lateral (
         select * from accounts
          where organization_id = k.organization_id and account_id = k.account_id
          limit 1 for no key update) a`,
    values: [textArray(keys.map((k) => k.organizationId)), textArray(keys.map((k) => k.accountId))],
  };
}

export function saveAccounts(accounts: Account[]): Statement {
  return {
    name: "accounts_save",
    text: `
      update accounts a set posted_minor = k.posted_minor, held_minor = k.held_minor
        from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])
             as k(organization_id, account_id, posted_minor, held_minor)
       where a.organization_id = k.organization_id and a.account_id = k.account_id`,
    values: [
      textArray(accounts.map((a) => a.organizationId)),
      textArray(accounts.map((a) => a.accountId)),
      numberArray(accounts.map((a) => a.postedMinor)),
      numberArray(accounts.map((a) => a.heldMinor)),
    ],
  };
}

export function insertAccounts(accounts: Account[], now: Date): Statement {
  return {
    name: "accounts_insert",
    text: `
      insert into accounts (organization_id, account_id, kind, currency, posted_minor, held_minor, created_at)
      select k.*, $7 from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[],
                                 $6::bigint[]) as k`,
    values: [
      textArray(accounts.map((a) => a.organizationId)),
      textArray(accounts.map((a) => a.accountId)),
      textArray(accounts.map((a) => a.kind)),
      textArray(accounts.map((a) => a.currency)),
      numberArray(accounts.map((a) => a.postedMinor)),
      numberArray(accounts.map((a) => a.heldMinor)),
      now,
    ],
  };
}
