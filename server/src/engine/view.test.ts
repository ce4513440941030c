import { describe, expect, test } from "vitest";
import type { Account } from "../ledger/accounts.ts";
import type { Posting } from "../ledger/postings.ts";
import { type Annex, annexById, annexesOfAccount } from "./annexes.ts";
import type { LoadedRows } from "./rows.ts";
import {
  insert,
  Lacking,
  type Load,
  mirrorIn,
  need,
  type Owned,
  remove,
  type Table,
  update,
} from "./table.ts";
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

/** Counted in the account. */
interface Tally {
  id: string;
  accountId: string;
  count: number;
  /** Of one that has an annex of its own. */
  isAnnexed?: boolean;
}

const tallies: Table<Tally> = {
  name: "tallies",
  idOf: ({ id }) => id,
  inAccount: {
    placeOf: ({ accountId, isAnnexed = false }) => ({ accountId, isAnnexed }),
    read: ({ organizationId, accountId, annexId, kept }) =>
      ((kept?.tallies ?? []) as { id: string; count: number }[]).map(({ id, count }) => ({
        organizationId,
        accountId,
        id,
        count,
        ...(annexId === undefined ? {} : { isAnnexed: true }),
      })),
    write: ({ id, count }) => ({ id, count }),
  },
};
const tally = (id: string, count: number, accountId = "wal_1"): Tally => ({ id, accountId, count });

const counted = (): BatchView =>
  new BatchView([
    account({
      kept: {
        tallies: [
          { id: "a", count: 1 },
          { id: "b", count: 2 },
        ],
      },
      ctid: "(0,1)",
    }),
    account({ accountId: "wal_2", kept: { tallies: [{ id: "c", count: 3 }] } }),
    account({ organizationId: "org_2", kept: { tallies: [{ id: "a", count: 9 }] } }),
  ]);

test("rows that an account keeps are found once it is there, each organization's by itself", () => {
  const view = counted();
  const countOf = (organizationId: string, id: string) =>
    view.of(organizationId).row(tallies, id)?.count;
  expect(["a", "b", "c", "d"].map((id) => countOf("org_1", id))).toEqual([1, 2, 3, undefined]);
  expect(countOf("org_2", "a")).toBe(9);
  expect(countOf("org_2", "b")).toBeUndefined();
  view.keepInAccounts();
  expect(view.touched()).toEqual([]);
  expect(view.rows.writes()).toEqual([]);
});

test("a row that an account keeps is written with it, beside the others and what was booked", () => {
  const view = counted();
  view.of("org_1").row(tallies, "a");
  view.change("org_1", update(tallies, tally("b", 20)));
  view.change("org_1", insert(tallies, tally("d", 4)));
  book(view, posting());
  view.keepInAccounts();
  expect(view.touched()).toEqual([
    account({
      postedMinor: 105n,
      ctid: "(0,1)",
      kept: {
        tallies: [
          { id: "a", count: 1 },
          { id: "b", count: 20 },
          { id: "d", count: 4 },
        ],
      },
    }),
  ]);
  expect(view.rows.writes()).toEqual([]);
});

test("the rows of an account are listed with what was decided about them", () => {
  const view = counted();
  view.change("org_1", update(tallies, tally("b", 20)));
  view.change("org_1", insert(tallies, tally("d", 4)));
  const inWallet = (accountId: string) =>
    view
      .of("org_1")
      .keptIn(tallies, accountId)
      .map(({ id, count }) => `${id} ${count}`);
  expect([inWallet("wal_1"), inWallet("wal_2"), inWallet("wal_3")]).toEqual([
    ["a 1", "b 20", "d 4"],
    ["c 3"],
    [],
  ]);
});

/** Rows of their own, whose count is told in their account, too. */
const shelves: Table<Tally & { books: string[] }> = {
  name: "shelves",
  idOf: ({ id }) => id,
  insert: (rows) => ({ name: "insert", text: String(rows.length) }),
  update: (rows) => ({ name: "update", text: String(rows.length) }),
  mirror: mirrorIn(tallies, ({ id, accountId, books }: Tally & { books: string[] }) =>
    tally(id, books.length, accountId),
  ),
};
const shelf = (id: string, ...books: string[]) => ({ ...tally(id, 0), books });

test("what mirrors a row changes with it", () => {
  const load = { table: shelves, keyOf: shelves.idOf, statement: () => ({ name: "", text: "" }) };
  const view = new BatchView(
    [account({ kept: { tallies: [{ id: "a", count: 1 }] } })],
    [{ load: load as never, keys: [], rows: [{ organizationId: "org_1", ...shelf("a", "x") }] }],
  );
  view.change("org_1", update(shelves, shelf("a", "x", "y")));
  view.change("org_1", insert(shelves, shelf("b")));
  expect(view.of("org_1").row(tallies, "a")).toMatchObject({ count: 2 });
  expect(view.of("org_1").row(tallies, "b")).toMatchObject({ count: 0 });
  view.keepInAccounts();
  expect(view.touched()).toMatchObject([
    {
      kept: {
        tallies: [
          { id: "a", count: 2 },
          { id: "b", count: 0 },
        ],
      },
    },
  ]);
  expect(view.rows.writes().map(({ name }) => name)).toEqual(["insert", "update"]);
});

test("an account that was opened keeps rows from the beginning", () => {
  const view = new BatchView([]);
  view.open("org_1", { accountId: "acc_1", kind: "Card", currency: "USD" });
  view.change("org_1", insert(tallies, tally("a", 1, "acc_1")));
  view.keepInAccounts();
  expect(view.opened()).toMatchObject([
    { accountId: "acc_1", kept: { tallies: [{ id: "a", count: 1 }] } },
  ]);
  expect(view.touched()).toEqual([]);
});

test("nothing is kept in an account that was not asked for, and nothing kept is removed", () => {
  const elsewhere = counted();
  elsewhere.change("org_1", insert(tallies, tally("d", 1, "wal_3")));
  expect(() => elsewhere.keepInAccounts()).toThrow(/wal_3.*did not ask/);
  const removed = counted();
  removed.change("org_1", remove(tallies, tally("a", 1)));
  expect(() => removed.keepInAccounts()).toThrow("Rows of tallies take no remove.");
});

describe("annexes of accounts", () => {
  const HAS_ANNEXES = { tallies: [{ id: "own", count: 1 }], annexes: true };
  const key = (id: string) => ({ organizationId: "org_1", id });
  const annex = (annexId: string, count: number): Owned<Annex> => ({
    organizationId: "org_1",
    annexId,
    accountId: "wal_1",
    kept: { tallies: [{ id: annexId, count }] },
    ctid: "(0,1)",
  });
  const read = (load: Load<Annex>, id: string, ...rows: Owned<Annex>[]): LoadedRows => ({
    load: load as unknown as Load<never>,
    keys: [key(id)],
    rows,
  });
  const withAnnexes = (...loaded: LoadedRows[]) =>
    new BatchView([account({ kept: HAS_ANNEXES })], loaded);
  const guest = (id: string, count: number) => ({ ...tally(id, count), isAnnexed: true });
  const lackOf = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Lacking)) throw error;
      return error.needs.map(({ load, key }) => [load, key]);
    }
  };

  test("a row is found in its own, which is read when somebody asks for it", () => {
    const find = (view: BatchView, id: string) => view.of("org_1").row(tallies, id);
    expect(lackOf(() => find(withAnnexes(), "a"))).toEqual([[annexById, "a"]]);
    expect(find(withAnnexes(read(annexById, "a", annex("a", 3))), "a")).toMatchObject({ count: 3 });
    expect(find(withAnnexes(read(annexById, "a")), "a")).toBeUndefined();
    expect(find(withAnnexes(), "own")).toMatchObject({ count: 1 });
    // Nobody asks where no account has any.
    expect(find(counted(), "z")).toBeUndefined();
  });

  test("the rows of an account are those of its annexes, too", () => {
    const list = (view: BatchView) => view.of("org_1").keptIn(tallies, "wal_1");
    expect(lackOf(() => list(withAnnexes()))).toEqual([[annexesOfAccount, "wal_1"]]);
    const all = withAnnexes(read(annexesOfAccount, "wal_1", annex("a", 3), annex("b", 4)));
    expect(list(all).map(({ id }) => id)).toEqual(["own", "a", "b"]);
  });

  test("a change is written to the annex, and the account is left alone", () => {
    const view = withAnnexes(read(annexById, "a", annex("a", 3)));
    view.change("org_1", update(tallies, guest("a", 30)));
    view.keepInAccounts();
    expect(view.touched()).toEqual([]);
    const [write, ...more] = view.rows.writes();
    expect(more).toEqual([]);
    expect(write?.name).toBe("account_annexes_update");
    expect(JSON.parse(String(write?.values?.at(-1)))).toEqual([
      { tallies: [{ id: "a", count: 30 }] },
    ]);
  });

  test("one that was not read is asked for before it is changed", () => {
    const change = () => withAnnexes().change("org_1", update(tallies, guest("a", 30)));
    expect(lackOf(change)).toEqual([[annexById, "a"]]);
  });

  test("the first one is noted in the account", () => {
    const view = counted();
    view.change("org_1", insert(tallies, guest("x", 1)));
    view.keepInAccounts();
    expect(view.touched()).toMatchObject([{ accountId: "wal_1", kept: { annexes: true } }]);
    expect(view.touched()[0]?.kept?.tallies).toHaveLength(2);
    expect(view.rows.writes()).toMatchObject([{ name: "account_annexes_insert" }]);
  });
});

test("what is wanted together is lacking together, without what is there", () => {
  const load = { table: shelves, keyOf: shelves.idOf, statement: () => ({ name: "", text: "" }) };
  const keys = [{ organizationId: "org_1", id: "a" }];
  const view = new BatchView([], [{ load: load as never, keys, rows: [] }]).of("org_1");
  const needs = ["a", "b", "c"].map((id) => need(load, id));
  expect(() => view.want(needs.slice(0, 1))).not.toThrow();
  expect(() => view.want(needs)).toThrow(expect.objectContaining({ needs: needs.slice(1) }));
});
