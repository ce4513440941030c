import { expect, test } from "vitest";
import type { Account } from "../ledger/accounts.ts";
import type { Posting } from "../ledger/postings.ts";
import { BatchView } from "./view.ts";

const account = (change: Partial<Account> = {}): Account => ({
  organizationId: "org_1",
  accountId: "wal_1",
  kind: "Wallet",
  currency: "USD",
  postedMinor: 100n,
  heldMinor: 0n,
  ...change,
});

const posting = (change: Partial<Posting> = {}): Posting => ({
  organizationId: "org_1",
  entryId: "jrn_1",
  kind: "Deposit",
  debitAccountId: "Deposits:USD",
  creditAccountId: "wal_1",
  amountMinor: 5n,
  currency: "USD",
  ...change,
});

test("an organization sees its own accounts and nobody else's", () => {
  const view = new BatchView([account(), account({ organizationId: "org_2", accountId: "wal_2" })]);
  expect(view.of("org_1").account("wal_1")).toMatchObject({ accountId: "wal_1" });
  expect(view.of("org_1").account("wal_2")).toBeUndefined();
  expect(view.of("org_2").account("wal_2")).toMatchObject({ organizationId: "org_2" });
});

test("booking moves both balances and says what they became; a counter account keeps none", () => {
  const view = new BatchView([account(), account({ accountId: "wal_2", postedMinor: 0n })]);
  expect(view.book(posting())).toMatchObject({ debitBalanceMinor: null, creditBalanceMinor: 105n });
  expect(view.book(posting({ debitAccountId: "wal_1", creditAccountId: "wal_2" }))).toMatchObject({
    debitBalanceMinor: 100n,
    creditBalanceMinor: 5n,
  });
  expect(view.of("org_1").account("wal_1")?.postedMinor).toBe(100n);
  expect(view.of("org_1").account("wal_2")?.postedMinor).toBe(5n);
});

test("an account counts as touched once it was booked to, once", () => {
  const view = new BatchView([account(), account({ accountId: "wal_2" })]);
  expect(view.touched()).toEqual([]);
  view.book(posting());
  view.book(posting());
  expect(view.touched()).toMatchObject([{ accountId: "wal_1", postedMinor: 110n }]);
});

test("an account that was not asked for cannot be booked to", () => {
  const view = new BatchView([account({ organizationId: "org_2" })]);
  expect(() => view.book(posting())).toThrow(/wal_1.*did not ask/);
});
