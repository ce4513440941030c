import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Books, openBooks } from "../../../test/harness/books.ts";
import { openCard } from "../../../test/harness/cards.ts";
import { scratchDatabase } from "../../../test/harness/scratch.ts";
import { insertPostings } from "../../ledger/postings.ts";
import { FIRST_PLACE, findNegativeAccounts, negativeSince } from "./store.ts";

let books: Books;
let organizationId: string;
beforeAll(async () => {
  books = openBooks(await scratchDatabase());
});
afterAll(() => books.close());
beforeEach(async () => {
  organizationId = await books.openOrganization();
  await books.openWallet(organizationId, "USD");
});

test("all accounts are looked at in steps, and those of cards below zero are found", async () => {
  const negative: string[] = [];
  for (let n = 0; n < 7; n++) {
    const balanceMinor = n % 3 === 0 ? -100n : 100n;
    const { accountId } = await openCard(books.pool, organizationId, { balanceMinor });
    if (balanceMinor < 0n) negative.push(accountId);
  }
  const found: string[] = [];
  let steps = 0;
  for (let place: typeof FIRST_PLACE | undefined = FIRST_PLACE; place !== undefined; steps++) {
    const step = await findNegativeAccounts(books.pool, place, 2);
    expect(step.negative.length).toBeLessThanOrEqual(2);
    found.push(...step.negative.map(({ accountId }) => accountId));
    place = step.next;
  }
  expect(found.sort()).toEqual(negative.sort());
  // Seven cards, a wallet and its three counter accounts: five full steps and a rest.
  expect(steps).toBe(6);
});

/** Moves a balance step by step, one day each, beginning on the first of January. */
async function history(changes: bigint[]): Promise<string> {
  const { accountId } = await openCard(books.pool, organizationId);
  let balance = 0n;
  for (const [index, change] of changes.entries()) {
    balance += change;
    const isCredit = change > 0n;
    const posting = {
      organizationId,
      entryId: `jrn_${index}`,
      kind: "Deposit" as const,
      debitAccountId: isCredit ? "Deposits:USD" : accountId,
      creditAccountId: isCredit ? accountId : "Deposits:USD",
      amountMinor: isCredit ? change : -change,
      currency: "USD" as const,
      debitBalanceMinor: isCredit ? null : balance,
      creditBalanceMinor: isCredit ? balance : null,
    };
    await books.run(insertPostings([posting], new Date(Date.UTC(2026, 0, index + 1))));
  }
  return accountId;
}

test.each<[string, bigint[], number | undefined]>([
  ["its only posting", [-5n], 1],
  ["the posting that took it below zero", [5n, -10n], 2],
  ["the first of several below zero", [5n, -10n, -1n, -1n], 2],
  ["a credit that was not enough changes nothing", [5n, -10n, 3n, -1n], 2],
  ["zero is not below zero", [5n, -10n, 5n, -1n], 4],
  ["zero is not below zero, also where it fell to it", [5n, -5n, -1n], 3],
  ["up and down again: the last fall", [-5n, 10n, -10n, 20n, -16n, -1n], 5],
  ["not below zero at all", [5n], undefined],
])("since %s", async (_what, changes, day) => {
  const accountId = await history(changes);
  const since = await negativeSince(books.pool, { organizationId, accountId });
  expect(since?.getUTCDate()).toBe(day);
});
