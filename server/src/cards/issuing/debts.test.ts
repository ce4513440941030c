import { afterAll, beforeAll, expect, test } from "vitest";
import { type Books, openBooks } from "../../../test/harness/books.ts";
import { openCard } from "../../../test/harness/cards.ts";
import { scratchDatabase } from "../../../test/harness/scratch.ts";
import { need } from "../../engine/table.ts";
import { BatchView } from "../../engine/view.ts";
import { newId } from "../../foundation/ids.ts";
import { readProgrammes } from "../../programmes/read.ts";
import { type CustomerDebt, debtsOfCustomer, owesTooMuch } from "./debts.ts";

let books: Books;
let organizationId: string;
beforeAll(async () => {
  books = openBooks(await scratchDatabase());
  organizationId = await books.openOrganization();
  for (const currency of ["USD", "NGN"] as const) await books.openWallet(organizationId, currency);
});
afterAll(() => books.close());

async function debtsOf(...customerIds: string[]): Promise<CustomerDebt[]> {
  const { text, values } = debtsOfCustomer.statement(
    customerIds.map((id) => ({ organizationId, id })),
  );
  return (await books.pool.query<CustomerDebt>(text, values)).rows;
}

const set = (accountId: string, postedMinor: bigint) =>
  books.pool.query("update accounts set posted_minor = $2 where account_id = $1", [
    accountId,
    postedMinor,
  ]);

test("an account is a debt while it is below zero, and no longer", async () => {
  const customerId = newId("cus", 1);
  const { accountId } = await openCard(books.pool, organizationId, { customerId });
  for (const [postedMinor, owed] of [
    [5n, []],
    [-5n, [-5n]],
    [-3n, [-3n]],
    [0n, []],
    [-1n, [-1n]],
    [7n, []],
  ] as const) {
    await set(accountId, postedMinor);
    expect((await debtsOf(customerId)).map((debt) => debt.postedMinor)).toEqual(owed);
  }
});

test("an account that several cards share is one debt", async () => {
  const customerId = newId("cus", 2);
  const { accountId } = await openCard(books.pool, organizationId, { customerId });
  await openCard(books.pool, organizationId, { customerId, accountId });
  await set(accountId, -9n);
  expect(await debtsOf(customerId)).toEqual([
    {
      ...{ organizationId, customerId, accountId, postedMinor: -9n },
      ...{ programmeId: "usd-us", currency: "USD" },
    },
  ]);
  await set(accountId, 9n);
  expect(await debtsOf(customerId)).toEqual([]);
});

test("each customer has their own, and a wallet is nobody's", async () => {
  const [one, other, third] = [newId("cus", 3), newId("cus", 4), newId("cus", 5)];
  for (const customerId of [one, one, other]) {
    await openCard(books.pool, organizationId, { customerId, balanceMinor: -2n });
  }
  const walletId = await books.openWallet(organizationId, "GBP");
  await set(walletId, -100n);
  const debts = await debtsOf(one, other, third);
  expect(debts.map(({ customerId }) => customerId).sort()).toEqual([one, one, other].sort());
  const { rows } = await books.pool.query("select from customer_debts where account_id = $1", [
    walletId,
  ]);
  expect(rows).toEqual([]);
});

const programmes = readProgrammes(undefined).map((programme) =>
  programme.currency === "USD" ? { ...programme, negativeBalanceToleranceMinor: 500n } : programme,
);

const debt = (postedMinor: bigint, change: Partial<CustomerDebt> = {}): CustomerDebt => ({
  accountId: newId("acc", 1),
  customerId: "cus_1",
  programmeId: "usd-us",
  currency: "USD",
  postedMinor,
  ...change,
});

test.each<[string, CustomerDebt[], boolean]>([
  ["nothing", [], false],
  ["what its programme bears", [debt(-500n)], false],
  ["more than its programme bears", [debt(-501n)], true],
  [
    "in a programme that bears nothing",
    [debt(-1n, { programmeId: "ngn-ng", currency: "NGN" })],
    true,
  ],
  ["in a programme that is gone", [debt(-1n, { programmeId: "gone" })], true],
  ["in a programme of another currency by now", [debt(-1n, { currency: "EUR" })], true],
  ["much on one of several", [debt(-1n), debt(-900n), debt(-2n)], true],
  ["another's debt only", [{ ...debt(-900n), customerId: "cus_2" }], false],
])("who owes %s is kept from new cards: %s", (_what, debts, expected) => {
  const rows = debts.map((each) => ({ ...each, organizationId: "org_1" }));
  const { load } = need(debtsOfCustomer, "cus_1");
  const keys = [{ organizationId: "org_1", id: "cus_1" }];
  const view = new BatchView([], [{ load, keys, rows }]).of("org_1");
  expect(owesTooMuch(view, "cus_1", programmes)).toBe(expected);
});
