import { afterAll, beforeAll, expect, test } from "vitest";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { type BookedPosting, insertPostings } from "./postings.ts";

let books: Books;
let organizationId: string;
let stranger: string;
let usdWallet: string;
let eurWallet: string;
let strangersWallet: string;

beforeAll(async () => {
  books = openBooks(await scratchDatabase());
  organizationId = await books.openOrganization();
  stranger = await books.openOrganization();
  usdWallet = await books.openWallet(organizationId, "USD");
  eurWallet = await books.openWallet(organizationId, "EUR");
  strangersWallet = await books.openWallet(stranger, "USD");
});
afterAll(() => books.close());

const posting = (change: Partial<BookedPosting> = {}): BookedPosting => ({
  organizationId,
  entryId: "jrn_1",
  kind: "Deposit",
  debitAccountId: "Deposits:USD",
  creditAccountId: usdWallet,
  amountMinor: 100n,
  currency: "USD",
  debitBalanceMinor: null,
  creditBalanceMinor: 100n,
  ...change,
});

async function insert(...postings: BookedPosting[]): Promise<number | null> {
  const [answer] = await books.run(insertPostings(postings, new Date()));
  return answer?.rowCount ?? null;
}

test("a posting between two accounts of its organization and currency is written", async () => {
  expect(await insert(posting())).toBe(1);
});

test.each<[string, () => Partial<BookedPosting>]>([
  ["a debit account that does not exist", () => ({ debitAccountId: "Deposits:XXX" })],
  ["a credit account that does not exist", () => ({ creditAccountId: "wal_none" })],
  ["another organization's account", () => ({ creditAccountId: strangersWallet })],
  ["an account of another currency", () => ({ creditAccountId: eurWallet })],
  ["a currency that is not its accounts'", () => ({ currency: "EUR" })],
  ["an amount of nothing", () => ({ amountMinor: 0n })],
  ["a negative amount", () => ({ amountMinor: -1n })],
  ["an account that pays itself", () => ({ debitAccountId: usdWallet })],
])("the database refuses %s", async (_what, change) => {
  await expect(insert(posting(change()))).rejects.toMatchObject({ code: "23514" });
});

test("one bad posting takes the good ones of its statement with it", async () => {
  const count = async () => (await books.pool.query("select from postings")).rowCount;
  const before = await count();
  await expect(insert(posting(), posting({ creditAccountId: eurWallet }))).rejects.toThrow();
  expect(await count()).toBe(before);
});

test.each([
  ["changed", "update postings set amount_minor = amount_minor + 1"],
  ["changed in any other column", "update postings set reference = 'x'"],
  ["deleted", "delete from postings"],
  ["deleted one by one", "delete from postings where posting_id = 1"],
  ["truncated", "truncate postings"],
])("postings cannot be %s, not even by their owner", async (_what, sql) => {
  await insert(posting());
  await expect(books.pool.query(sql)).rejects.toMatchObject({ code: "23001" });
});

test("accounts keep their invariants: one wallet per currency, no negative holds, counters without balance", async () => {
  const attempt = (sql: string) => books.pool.query(sql, [organizationId]);
  await expect(
    attempt(`insert into accounts values ($1, 'wal_second', 'Wallet', 'USD', 0, 0, now())`),
  ).rejects.toMatchObject({ code: "23505" });
  await expect(
    attempt(`update accounts set held_minor = -1 where organization_id = $1 and kind = 'Wallet'`),
  ).rejects.toMatchObject({ code: "23514" });
  await expect(
    attempt(`update accounts set posted_minor = 0, held_minor = 0
              where organization_id = $1 and kind = 'Deposits'`),
  ).rejects.toMatchObject({ code: "23514" });
  await expect(
    attempt(
      `update accounts set posted_minor = null where organization_id = $1 and kind = 'Wallet'`,
    ),
  ).rejects.toMatchObject({ code: "23514" });
});
