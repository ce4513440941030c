import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Books, openBooks } from "../../../test/harness/books.ts";
import { openCard } from "../../../test/harness/cards.ts";
import { scratchDatabase } from "../../../test/harness/scratch.ts";
import { type ManyQuery, Reads } from "../../db/reads.ts";
import type { DerivationKey } from "../../keys/vault.ts";
import { loadProgrammes } from "../../programmes/load.ts";
import { expectProgramme, type Programme } from "../../programmes/programmes.ts";
import { hashPan } from "../secrets.ts";
import { FreePans } from "./free-pans.ts";

const keyOf = (version: number): DerivationKey => ({
  version,
  key: randomBytes(32),
  computesFrom: new Date(0),
});

class CountedReads extends Reads {
  asked = 0;

  override ask<Key, Row>(query: ManyQuery<Key, Row>, key: Key): Promise<Row[]> {
    this.asked++;
    return super.ask(query, key);
  }
}

let books: Books;
let reads: CountedReads;
let organizationId: string;
let programme: Programme;
/** Account numbers, as they are drawn one after another. */
let drawn: number[];
/** Oldest first; the last one is computed with. */
let keys: DerivationKey[];
let freePans: FreePans;

beforeAll(async () => {
  programme = expectProgramme(await loadProgrammes(undefined), {
    programmeId: "usd-us",
    currency: "USD",
  });
  books = openBooks(await scratchDatabase());
  organizationId = await books.openOrganization();
  reads = new CountedReads(books.url);
});
afterAll(async () => {
  await reads.stop();
  await books.close();
});
beforeEach(async () => {
  await books.pool.query("delete from card_secrets");
  drawn = [];
  keys = [keyOf(1)];
  reads.asked = 0;
  freePans = new FreePans({
    reads,
    vault: {
      derivationKey: () => keys.at(-1) as DerivationKey,
      derivationKeys: () => keys.toReversed(),
    },
    draw: () => drawn.shift() ?? Number.NaN,
  });
});

/** Makes a card with the next number that is free. */
const issue = () =>
  freePans.with(programme, async (pan, { key, version }) => {
    const { cardId } = await openCard(books.pool, organizationId);
    await books.pool.query("insert into card_secrets values ($1, $2, '', $3, $4, 1)", [
      organizationId,
      cardId,
      hashPan(key, pan),
      version,
    ]);
    return Number(pan.slice(programme.bin.length, -1));
  });

test("a number is used without looking for it, and another one is drawn where it has a card", async () => {
  drawn = [5, 5, 6];
  expect(await issue()).toBe(5);
  expect(reads.asked).toBe(0);
  expect(await issue()).toBe(6);
  expect(reads.asked).toBe(1);
});

test("after that numbers are looked for, until none of a hundred had a card", async () => {
  drawn = [1, 1, ...Array.from({ length: 200 }, (_, n) => n + 2)];
  await issue();
  for (let n = 2; n <= 110; n++) expect(await issue()).toBe(n);
  expect(reads.asked).toBe(100);
});

test("a number that is hashed under an older key is found there", async () => {
  drawn = [5, 5, 6];
  await issue();
  keys.push(keyOf(2));
  expect(await issue()).toBe(6);
  const { rows } = await books.pool.query(
    "select pan_hash_key as key from card_secrets order by 1",
  );
  expect(rows).toEqual([{ key: 1 }, { key: 2 }]);
});

test("a key that becomes current while a number is looked for does not hash it", async () => {
  const [first, second] = [keyOf(1), keyOf(2)];
  keys = [first];
  drawn = [5, 5, 6];
  await issue();
  keys = [second, first];
  const issuing = issue();
  keys = [first, second];
  // Under the first key it has a card, and under the second one nobody has looked for the next.
  expect(await issuing).toBe(6);
});

test("a BIN without numbers is given up", async () => {
  drawn = Array.from({ length: 100 }, () => 5);
  await issue();
  await expect(issue()).rejects.toMatchObject({ codeName: "PROGRAM_RESTRICTION" });
});
