import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { DatabaseProxy } from "../../test/harness/proxy.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { isUnavailable } from "../db/errors.ts";
import { createPool } from "../db/pool.ts";
import { LEARNED_AFTER_MS } from "../db/shared-state.ts";
import { transaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import { parseMasterKeys } from "../foundation/keyring.ts";
import { Vault } from "../keys/vault.ts";
import { ensureSigningKey, rotateSigningKey, SigningKeys } from "./signing-keys.ts";
import { issueToken, TokenVerifier } from "./tokens.ts";

const TOKEN_TTL_S = 3600;
const MASTERS = parseMasterKeys(randomBytes(32).toString("base64"));
/** How long after a reading nothing is read for an unknown key. */
const PAUSE_MS = 500;

let books: Books;
let vault: Vault;
let nowMs: number;
const clock: Clock = { now: () => new Date(nowMs), nowMs: () => nowMs };

beforeEach(async () => {
  nowMs = Date.UTC(2026, 0, 1);
  books = openBooks(await scratchDatabase());
  vault = await Vault.open(books.pool, MASTERS, clock);
  await ensureSigningKey(books.pool, vault, clock);
  nowMs += 3_600_000;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await books.close();
});

/** What one process knows of the keys. */
async function openKeys(pool = books.pool): Promise<SigningKeys> {
  const keys = new SigningKeys({ pool, vault, clock, tokenTtlS: TOKEN_TTL_S });
  await keys.reload();
  return keys;
}

const rotate = (): Promise<string> =>
  transaction(books.pool, (tx) => rotateSigningKey(tx, vault, clock.now(), TOKEN_TTL_S));

const addresses = { api: "https://api.example.com", identity: "https://id.example.com" };
const tokensOf = (signingKeys: SigningKeys) => ({
  clock,
  signingKeys,
  addresses,
  tokenTtlS: TOKEN_TTL_S,
});

/** So long after the last reading that an unknown key is looked for; from then on time stands still. */
function passPause(): void {
  const at = performance.now() + PAUSE_MS;
  vi.spyOn(performance, "now").mockReturnValue(at);
}

describe("a new key", () => {
  test("is known to all before it signs", async () => {
    const keys = await openKeys();
    const before = keys.current.keyId;
    const keyId = await rotate();
    await keys.reload();
    expect(keys.published.map((key) => key.keyId)).toEqual([keyId, before]);
    expect(keys.current.keyId).toBe(before);
    nowMs += LEARNED_AFTER_MS;
    expect(keys.current.keyId).toBe(keyId);
  });

  test("signs at once when it is the only one", async () => {
    await books.pool.query("delete from signing_keys");
    await ensureSigningKey(books.pool, vault, clock);
    expect((await openKeys()).current.keyId).toEqual(expect.any(String));
  });

  test("leaves the last tokens of the old one good until their end", async () => {
    const keys = await openKeys();
    await rotate();
    await keys.reload();
    nowMs += LEARNED_AFTER_MS - 1;
    const token = await issueToken(tokensOf(keys), "cli_1", ["CardAPIs"]);
    nowMs += TOKEN_TTL_S * 1000 - 1_000;
    expect(await new TokenVerifier(tokensOf(keys)).verify(token)).toMatchObject({
      clientId: "cli_1",
    });
  });

  test("leaves them good though yet another follows", async () => {
    const keys = await openKeys();
    const token = await issueToken(tokensOf(keys), "cli_1", ["CardAPIs"]);
    for (let step = 0; step < 2; step++) {
      await rotate();
      nowMs += TOKEN_TTL_S * 400;
    }
    await rotate();
    const verifier = new TokenVerifier(tokensOf(await openKeys()));
    expect(await verifier.verify(token)).toMatchObject({ clientId: "cli_1" });
  });

  test("follows the one before it, also when both are new", async () => {
    const keys = await openKeys();
    const first = keys.current.keyId;
    const second = await rotate();
    nowMs += LEARNED_AFTER_MS / 2;
    const third = await rotate();
    await keys.reload();
    const signers = [keys.current.keyId];
    for (let step = 0; step < 2; step++) {
      nowMs += LEARNED_AFTER_MS / 2;
      signers.push(keys.current.keyId);
    }
    expect(signers).toEqual([first, second, third]);
  });
});

describe("a process that has not heard of a rotation", () => {
  test("finds the new key for all who ask at once", async () => {
    const keys = await openKeys();
    const keyId = await rotate();
    passPause();
    const found = await Promise.all(Array.from({ length: 20 }, () => keys.find(keyId)));
    expect(found.map((key) => key?.keyId)).toEqual(Array.from({ length: 20 }, () => keyId));
  });

  test("does not ask the database for every key that nobody knows", async () => {
    const keys = await openKeys();
    const query = vi.spyOn(books.pool, "query");
    passPause();
    await Promise.all(Array.from({ length: 20 }, (_, n) => keys.find(`forged ${n}`)));
    for (let n = 0; n < 20; n++) expect(await keys.find(`forged again ${n}`)).toBeUndefined();
    expect(query).toHaveBeenCalledTimes(1);
  });

  test("keeps what a later reading found, when an earlier one ends after it", async () => {
    const keys = await openKeys();
    const old = await books.pool.query("select * from signing_keys where false");
    let answer: (rows: typeof old) => void = () => undefined;
    const late = new Promise<typeof old>((resolve) => {
      answer = resolve;
    });
    vi.spyOn(books.pool, "query").mockImplementationOnce(() => late);
    const earlier = keys.reload();
    const keyId = await rotate();
    await keys.reload();
    answer(old);
    await earlier;
    expect(await keys.find(keyId)).toBeDefined();
  });
});

describe("while the database is away", () => {
  test("a token with a key that is not known is not called bad, and afterwards it is good", async () => {
    const line = await DatabaseProxy.before(books.url);
    const pool = createPool(line.url, 2);
    try {
      const verifier = new TokenVerifier(tokensOf(await openKeys(pool)));
      await rotate();
      nowMs += LEARNED_AFTER_MS;
      const token = await issueToken(tokensOf(await openKeys()), "cli_1", ["CardAPIs"]);
      line.goDown();
      passPause();
      for (let attempt = 0; attempt < 2; attempt++) {
        const error: unknown = await verifier.verify(token).catch((thrown: unknown) => thrown);
        expect(isUnavailable(error)).toBe(true);
      }
      line.comeUp();
      expect(await verifier.verify(token)).toMatchObject({ clientId: "cli_1" });
    } finally {
      await pool.end();
      await line.close();
    }
  });
});
