import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { ServiceClock } from "../foundation/clock.ts";
import { parseMasterKeys } from "../foundation/keyring.ts";
import { reseal, type SealedColumn } from "./reseal.ts";
import { Vault } from "./vault.ts";

let books: Books;
let vault: Vault;
beforeEach(async () => {
  books = openBooks(await scratchDatabase());
  await books.pool.query(
    `create table notes (organization_id text collate "C", note_id text, note_sealed bytea,
       primary key (organization_id, note_id))`,
  );
  const masters = parseMasterKeys(randomBytes(32).toString("base64"));
  vault = await Vault.open(books.pool, masters, new ServiceClock());
});
afterEach(() => books.close());

const context = ([organizationId, noteId]: readonly string[]): string =>
  `notes/${organizationId}/${noteId}`;

const notes: SealedColumn = {
  table: "notes",
  column: "note_sealed",
  key: ["organization_id", "note_id"],
  context,
  rowsAtOnce: 2,
};

async function write(organizationId: string, noteId: string, text: string | null): Promise<void> {
  const sealed = text === null ? null : vault.seal(text, context([organizationId, noteId]));
  await books.pool.query("insert into notes values ($1, $2, $3)", [organizationId, noteId, sealed]);
}

async function readAll(reader: Vault): Promise<(string | null)[]> {
  const { rows } = await books.pool.query(
    "select organization_id as o, note_id as n, note_sealed as s from notes order by 1, 2",
  );
  return Promise.all(
    rows.map(async ({ o, n, s }) => s && String(await reader.unseal(s, context([o, n])))),
  );
}

async function countOld(): Promise<number> {
  const { rows } = await books.pool.query("select note_sealed as s from notes");
  return rows.filter(({ s }) => s !== null && vault.needsReseal(s)).length;
}

test.each([0, 1, 2, 3, 5])(
  "%i old values are all sealed anew and read as before",
  async (count) => {
    const texts = Array.from({ length: count }, (_, n) => `text ${n}`);
    for (const [n, text] of texts.entries()) await write(`org_${n % 2}`, `${n}`, text);
    const before = await readAll(vault);
    await vault.addKey();
    expect(await countOld()).toBe(count);
    expect(await reseal(books.pool, vault, notes)).toBe(count);
    expect(await countOld()).toBe(0);
    expect(await readAll(vault)).toEqual(before);
    expect(await reseal(books.pool, vault, notes)).toBe(0);
  },
);

test("values that are new already, or missing, are left alone", async () => {
  await write("org_1", "1", "old");
  await write("org_1", "2", null);
  await vault.addKey();
  await write("org_1", "3", "new");
  expect(await reseal(books.pool, vault, notes)).toBe(1);
  expect(await readAll(vault)).toEqual(["old", null, "new"]);
});

test("a value that changes meanwhile stays as it became", async () => {
  await write("org_1", "1", "before");
  await vault.addKey();
  const unseal = vault.unseal.bind(vault);
  // By then the old value has been read, and the new one has not been written.
  vi.spyOn(vault, "unseal").mockImplementationOnce(async (sealed, at) => {
    const changed = vault.seal("after", at);
    await books.pool.query("update notes set note_sealed = $1", [changed]);
    return unseal(sealed, at);
  });
  expect(await reseal(books.pool, vault, notes)).toBe(0);
  expect(await readAll(vault)).toEqual(["after"]);
});

test("a value that was moved to another row stops it, and nothing is lost", async () => {
  await write("org_1", "1", "one");
  await books.pool.query("insert into notes select 'org_1', '2', note_sealed from notes");
  await vault.addKey();
  await expect(reseal(books.pool, vault, notes)).rejects.toThrow("not authentic");
  expect(await countOld()).toBe(2);
});
