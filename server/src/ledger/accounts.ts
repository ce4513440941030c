import { jsonList, numberArray, textArray } from "../db/arrays.ts";
import { copyInto, json } from "../db/copy.ts";
import { allInPlace, ctidArray } from "../db/ctids.ts";
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
  /** Rows that hang on it and have no place of their own, by their tables, see engine/table; and whether it has annexes. */
  kept?: Kept | undefined;
  /** Where the row lies in its table, valid while it is locked; see db/ctids. */
  ctid?: string | undefined;
}

export type Kept = Readonly<Record<string, unknown>>;

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
             a.posted_minor as "postedMinor", a.held_minor as "heldMinor", a.kept, a.ctid
        from unnest($1::text[], $2::text[]) as k(organization_id, account_id)
       cross join lateral (
         select *, ctid from accounts
          where organization_id = k.organization_id and account_id = k.account_id
          limit 1 for no key update) a`,
    values: [textArray(keys.map((k) => k.organizationId)), textArray(keys.map((k) => k.accountId))],
  };
}

/** Those of the accounts that nobody has locked, or that are not there. */
export function unlockedAccounts(keys: AccountKey[]): Statement {
  return {
    name: "accounts_unlocked",
    text: `
      select k.organization_id as "organizationId", k.account_id as "accountId"
        from unnest($1::text[], $2::text[]) as k(organization_id, account_id)
        left join lateral (
          select account_id from accounts
           where organization_id = k.organization_id and account_id = k.account_id
           limit 1) a on true
        left join lateral (
          select account_id from accounts
           where organization_id = k.organization_id and account_id = k.account_id
           limit 1 for no key update skip locked) u on true
       where a.account_id is null or u.account_id is not null`,
    values: [textArray(keys.map((k) => k.organizationId)), textArray(keys.map((k) => k.accountId))],
  };
}

export function saveAccounts(accounts: Account[]): Statement {
  return {
    name: "accounts_save",
    text: allInPlace(
      "accounts",
      `
      update accounts a set posted_minor = k.posted_minor, held_minor = k.held_minor, kept = k.kept
        from rows from (unnest($2::tid[], $3::text[], $4::bigint[], $5::bigint[]), json_array_elements($6::json))
             as k(ctid, account_id, posted_minor, held_minor, kept)
       where a.ctid = k.ctid and a.account_id || '' = k.account_id`,
    ),
    values: [
      accounts.length,
      ctidArray(accounts),
      textArray(accounts.map((a) => a.accountId)),
      numberArray(accounts.map((a) => a.postedMinor)),
      numberArray(accounts.map((a) => a.heldMinor)),
      jsonList(accounts.map((a) => a.kept ?? {})),
    ],
  };
}

const copyAccounts = copyInto<{ account: Account; createdAt: Date }>("accounts", {
  organization_id: ({ account }) => account.organizationId,
  account_id: ({ account }) => account.accountId,
  kind: ({ account }) => account.kind,
  currency: ({ account }) => account.currency,
  posted_minor: ({ account }) => account.postedMinor,
  held_minor: ({ account }) => account.heldMinor,
  kept: ({ account }) => json(account.kept ?? {}),
  created_at: (row) => row.createdAt,
});

export const insertAccounts = (accounts: Account[], createdAt: Date): Statement =>
  copyAccounts(accounts.map((account) => ({ account, createdAt })));
