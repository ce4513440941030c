import { afterAll, beforeAll, expect, test } from "vitest";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import {
  type Account,
  availableMinor,
  counterAccount,
  counterKinds,
  isCounterAccount,
  lockAccounts,
  saveAccounts,
} from "./accounts.ts";
import { openWallet } from "./store.ts";

let books: Books;
beforeAll(async () => {
  books = openBooks(await scratchDatabase());
});
afterAll(() => books.close());

async function load(...keys: { organizationId: string; accountId: string }[]): Promise<Account[]> {
  const [answer] = await books.run(lockAccounts(keys));
  return (answer?.rows ?? []) as Account[];
}

test("what is available is what is posted less what is held", () => {
  const account = { postedMinor: 500n, heldMinor: 600n } as Account;
  expect(availableMinor(account)).toBe(-100n);
});

test("a counter account is told from one that keeps a balance by its name", () => {
  for (const kind of counterKinds) expect(isCounterAccount(counterAccount(kind, "USD"))).toBe(true);
  expect(isCounterAccount("wal_01h00000000000000000000000")).toBe(false);
});

test("accounts are loaded by organization and id; a key without an account gives no row", async () => {
  const mine = await books.openOrganization();
  const other = await books.openOrganization();
  const wallet = await books.openWallet(mine, "USD");
  expect(await load({ organizationId: mine, accountId: wallet })).toEqual([
    {
      organizationId: mine,
      accountId: wallet,
      kind: "Wallet",
      currency: "USD",
      postedMinor: 0n,
      heldMinor: 0n,
      kept: {},
      ctid: expect.stringMatching(/^\(\d+,\d+\)$/),
    },
  ]);
  expect(await load({ organizationId: other, accountId: wallet })).toEqual([]);
  expect(await load({ organizationId: mine, accountId: "wal_none" })).toEqual([]);
});

test("balances are saved to the account they belong to, however large", async () => {
  const organizationId = await books.openOrganization();
  const usd = await books.openWallet(organizationId, "USD");
  const eur = await books.openWallet(organizationId, "EUR");
  const [account] = await load({ organizationId, accountId: usd });
  if (account === undefined) throw new Error("The wallet is missing.");
  const changed = { ...account, postedMinor: 9_007_199_254_740_993n, heldMinor: 1n };
  await books.run(saveAccounts([changed]));
  const moved = { ...changed, ctid: expect.not.stringContaining(account.ctid ?? "") };
  expect(await load({ organizationId, accountId: usd })).toEqual([moved]);
  expect(await books.balanceOf(eur)).toBe(0n);
});

test("an account that somebody changed since it was read is not saved, nor is any other", async () => {
  const organizationId = await books.openOrganization();
  const usd = await books.openWallet(organizationId, "USD");
  const eur = await books.openWallet(organizationId, "EUR");
  const read = await load(...[usd, eur].map((accountId) => ({ organizationId, accountId })));
  await books.pool.query("update accounts set posted_minor = 7 where account_id = $1", [usd]);
  const saving = books.run(saveAccounts(read.map((account) => ({ ...account, postedMinor: 9n }))));
  await expect(saving).rejects.toMatchObject({ code: "40001" });
  expect([await books.balanceOf(usd), await books.balanceOf(eur)]).toEqual([7n, 0n]);
});

test("an account whose place another one took is not saved to that other", async () => {
  const organizationId = await books.openOrganization();
  const usd = await books.openWallet(organizationId, "USD");
  const eur = await books.openWallet(organizationId, "EUR");
  const [account] = await load({ organizationId, accountId: usd });
  const [other] = await load({ organizationId, accountId: eur });
  if (account === undefined || other === undefined) throw new Error("A wallet is missing.");
  const saving = books.run(saveAccounts([{ ...account, ctid: other.ctid, postedMinor: 9n }]));
  await expect(saving).rejects.toMatchObject({ code: "40001" });
  expect(await books.balanceOf(eur)).toBe(0n);
});

test("opening a wallet twice keeps the first, its money and its counter accounts", async () => {
  const organizationId = await books.openOrganization();
  const first = await books.openWallet(organizationId, "USD");
  await books.pool.query("update accounts set posted_minor = 5 where account_id = $1", [first]);
  await openWallet(books.pool, {
    organizationId,
    walletId: "wal_second",
    currency: "USD",
    now: new Date(),
  });
  const { rows } = await books.pool.query(
    `select account_id as id, kind from accounts where organization_id = $1 order by kind`,
    [organizationId],
  );
  expect(rows).toEqual([
    { id: "Clearing:USD", kind: "Clearing" },
    { id: "Deposits:USD", kind: "Deposits" },
    { id: "Fees:USD", kind: "Fees" },
    { id: first, kind: "Wallet" },
  ]);
  expect(await books.balanceOf(first)).toBe(5n);
});
