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

const book = (view: BatchView, booked: Posting) => view.book("org_1", booked, undefined);

test("an organization sees its own accounts and nobody else's", () => {
  const view = new BatchView([account(), account({ organizationId: "org_2", accountId: "wal_2" })]);
  expect(view.of("org_1").account("wal_1")).toMatchObject({ accountId: "wal_1" });
  expect(view.of("org_1").account("wal_2")).toBeUndefined();
  expect(view.of("org_2").account("wal_2")).toMatchObject({ organizationId: "org_2" });
});

test("booking moves both balances and says what they became; a counter account keeps none", () => {
  const view = new BatchView([account(), account({ accountId: "wal_2", postedMinor: 0n })]);
  expect(book(view, posting())).toMatchObject({
    debitBalanceMinor: null,
    creditBalanceMinor: 105n,
  });
  expect(book(view, posting({ debitAccountId: "wal_1", creditAccountId: "wal_2" }))).toMatchObject({
    debitBalanceMinor: 100n,
    creditBalanceMinor: 5n,
  });
  expect(view.of("org_1").account("wal_1")?.postedMinor).toBe(100n);
  expect(view.of("org_1").account("wal_2")?.postedMinor).toBe(5n);
});

test("an account counts as touched once it was booked to, once", () => {
  const view = new BatchView([account(), account({ accountId: "wal_2" })]);
  expect(view.touched()).toEqual([]);
  book(view, posting());
  book(view, posting());
  expect(view.touched()).toMatchObject([{ accountId: "wal_1", postedMinor: 110n }]);
});

test("an account that an operation has seen stays as it saw it", () => {
  const view = new BatchView([account()]);
  const seen = view.of("org_1").account("wal_1");
  book(view, posting());
  view.hold("org_1", { accountId: "wal_1", deltaMinor: 7n });
  expect(seen).toMatchObject({ postedMinor: 100n, heldMinor: 0n });
  expect(view.of("org_1").account("wal_1")).toMatchObject({ postedMinor: 105n, heldMinor: 7n });
});

test("an account that was not asked for cannot be booked to", () => {
  const view = new BatchView([account({ organizationId: "org_2" })]);
  expect(() => book(view, posting())).toThrow(/wal_1.*did not ask/);
});
