import { afterAll, beforeAll, expect, test } from "vitest";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import type { Statement } from "../db/lane.ts";
import { type Annex, annexById, annexes, annexesOfAccount } from "./annexes.ts";
import type { Load, Owned } from "./table.ts";

let books: Books;
beforeAll(async () => {
  books = openBooks(await scratchDatabase());
});
afterAll(() => books.close());

async function load(by: Load<Annex>, organizationId: string, id: string): Promise<Owned<Annex>[]> {
  const [answer] = await books.run(by.statement([{ organizationId, id }]));
  return (answer?.rows ?? []) as Owned<Annex>[];
}

const insert = (...rows: Owned<Annex>[]) => books.run(annexes.insert?.(rows) as Statement);
const save = (...rows: Owned<Annex>[]) => books.run(annexes.update?.(rows) as Statement);

const annex = (annexId: string, count: number): Owned<Annex> => ({
  organizationId: "org_1",
  annexId,
  accountId: "acc_1",
  kept: { count },
});

test("annexes are found by their ids and their accounts, and what they keep is saved", async () => {
  await insert(annex("a", 1), annex("b", 2));
  const [first] = await load(annexById, "org_1", "a");
  if (first === undefined) throw new Error("The annex is missing.");
  await save({ ...first, kept: { count: 10 } });
  const both = await load(annexesOfAccount, "org_1", "acc_1");
  const kept = new Map(both.map((row) => [row.annexId, row.kept]));
  expect(kept).toEqual(
    new Map([
      ["a", { count: 10 }],
      ["b", { count: 2 }],
    ]),
  );
  expect(await load(annexById, "org_2", "a")).toEqual([]);
});

test("an annex that somebody changed since it was read is not saved, nor is any other", async () => {
  await insert(annex("c", 1), annex("d", 1));
  const read = [...(await load(annexById, "org_1", "c")), ...(await load(annexById, "org_1", "d"))];
  await books.pool.query(`update account_annexes set kept = '{"count": 7}' where annex_id = 'c'`);
  const saving = save(...read.map((row) => ({ ...row, kept: { count: 9 } })));
  await expect(saving).rejects.toMatchObject({ code: "40001" });
  const [[c], [d]] = [await load(annexById, "org_1", "c"), await load(annexById, "org_1", "d")];
  expect([c?.kept, d?.kept]).toEqual([{ count: 7 }, { count: 1 }]);
});

test("an annex whose place another one took is not saved to that other", async () => {
  await insert(annex("e", 1), annex("f", 1));
  const [[e], [f]] = [await load(annexById, "org_1", "e"), await load(annexById, "org_1", "f")];
  if (e === undefined || f === undefined) throw new Error("An annex is missing.");
  await expect(save({ ...e, ctid: f.ctid })).rejects.toMatchObject({ code: "40001" });
});
