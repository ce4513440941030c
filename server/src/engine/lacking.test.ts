import { afterEach, beforeEach, expect, test } from "vitest";
import { openTill, settled, type Till } from "../../test/harness/till.ts";
import { audit } from "../ledger/audit/audit.ts";
import type { Operation } from "./operation.ts";
import { insert, keyColumns, type Load, need, type Table } from "./table.ts";

/** Notes about wallets, in a table of this test's own. */
interface Note {
  walletId: string;
  text: string;
}

const notes: Table<Note> = {
  name: "notes",
  idOf: ({ walletId, text }) => `${walletId} ${text}`,
  insert: (rows) => ({
    name: "notes_insert",
    text: "insert into notes select * from unnest($1::text[], $2::text[], $3::text[])",
    values: [
      ...keyColumns(rows.map(({ organizationId, walletId: id }) => ({ organizationId, id }))),
      `{${rows.map(({ text }) => text).join(",")}}`,
    ],
  }),
};

let looks: string[][];
const notesOf: Load<Note> = {
  table: notes,
  keyOf: ({ walletId }) => walletId,
  statement: (keys) => {
    looks.push(keys.map(({ id }) => id));
    return {
      name: "notes_of",
      text: `select organization_id as "organizationId", wallet_id as "walletId", text
               from notes join unnest($1::text[], $2::text[]) as k(organization_id, wallet_id)
                    using (organization_id, wallet_id) order by text`,
      values: keyColumns(keys),
    };
  },
};

/** Reads the notes of a wallet without having said so before. */
const read: Operation<string, string[]> = {
  name: "read",
  accounts: (walletId) => [walletId],
  decide: (view, walletId) => ({
    effects: { postings: [], events: [] },
    answer: view.rows(notesOf, walletId).map(({ text }) => text),
  }),
};

/** Says so before. */
const foresee: Operation<string, string[]> = {
  ...read,
  needs: (walletId) => [need(notesOf, walletId)],
};

/** Adds a note without having read any. */
const add: Operation<Note, undefined> = {
  name: "add",
  accounts: ({ walletId }) => [walletId],
  decide: (_view, note) => ({
    effects: { postings: [], rows: [insert(notes, { ...note })], events: [] },
    answer: undefined,
  }),
};

let till: Till;
beforeEach(async () => {
  till = await openTill();
  await till.books.pool.query(
    "create table notes (organization_id text, wallet_id text, text text)",
  );
  looks = [];
});
afterEach(() => till.close());

const run = <Input, Answer>(operation: Operation<Input, Answer>, input: Input): Promise<Answer> =>
  till.engine.run(operation, till.organizationId, input);

test("what an operation asks for without having named it is read, for all of the batch at once", async () => {
  const { walletId, batches } = till;
  const other = await till.books.openWallet(till.organizationId, "EUR");
  await run(add, { walletId, text: "one" });
  await run(add, { walletId: other, text: "two" });
  expect(await Promise.all([run(read, walletId), run(read, other), till.put(5n)])).toMatchObject([
    ["one"],
    ["two"],
    { postedMinor: 5n },
  ]);
  expect(batches).toEqual([1, 1, 3]);
  expect(looks).toEqual([[walletId, other]]);
  expect(await till.balance()).toBe(5n);
});

test("what was made before it in the same batch is found beside what was read", async () => {
  const { walletId } = till;
  await run(add, { walletId, text: "old" });
  const work = [
    run(read, walletId),
    run(add, { walletId, text: "new" }),
    run(read, walletId),
    run(foresee, walletId),
  ];
  expect(await Promise.all(work)).toEqual([["old"], undefined, ["old", "new"], ["old", "new"]]);
  expect(till.batches.at(-1)).toBe(4);
  expect(await run(read, walletId)).toEqual(["new", "old"]);
});

test("what was named before is not read again, nor is what is not asked for", async () => {
  const { walletId } = till;
  await Promise.all([
    run(foresee, walletId),
    run(read, walletId),
    run(add, { walletId, text: "x" }),
  ]);
  expect(looks).toEqual([[walletId]]);
});

test("who is kept waiting for what another lacks moves its money once", async () => {
  const { walletId } = till;
  const work = Array.from({ length: 10 }, (_, n) =>
    n % 2 === 0 ? till.put(1n) : run(read, walletId),
  );
  await Promise.all(work);
  expect(await till.balance()).toBe(5n);
  expect((await audit(till.books.pool)).problems).toEqual([]);
});

test("an operation that lacks more each time is given up, and hurts nobody else", async () => {
  const greedy: Operation<undefined, undefined> = {
    name: "greedy",
    accounts: () => [],
    decide: (view) => {
      for (let n = 0; ; n++) view.rows(notesOf, `wal_${n}`);
    },
  };
  const outcomes = await settled([till.put(1n), run(greedy, undefined), till.put(2n)]);
  expect(outcomes).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await till.balance()).toBe(3n);
});

test("what fails only because another was not decided yet does not fail", async () => {
  const { walletId } = till;
  /** Adds a note once it has read the others. */
  const careful: Operation<Note, undefined> = {
    ...add,
    decide: (view, note, now) => {
      view.rows(notesOf, note.walletId);
      return add.decide(view, note, now);
    },
  };
  /** Cannot do without the note that the one before it adds. */
  const dependent: Operation<Note, undefined> = {
    ...add,
    decide: (view, note) => {
      if (view.row(notes, notes.idOf(note)) === undefined) throw new Error("The note is missing.");
      return { effects: { postings: [], events: [] }, answer: undefined };
    },
  };
  const note = { walletId, text: "needed" };
  expect(await settled([run(careful, note), run(dependent, note)])).toEqual([
    "fulfilled",
    "fulfilled",
  ]);
  expect(till.batches).toEqual([2]);
});
