import { createHmac, randomBytes } from "node:crypto";
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isSecretHeader,
  Keyring,
  keyedHash,
  masterIdOf,
  parseMasterKeys,
  randomSecret,
  sameSecret,
  unwrapKey,
  WrongMasterKey,
  wrapKey,
} from "./keyring.ts";

const keyOf = (byte: number) => Buffer.alloc(32, byte);
const base64Of = (byte: number) => keyOf(byte).toString("base64");
const ring = new Keyring(new Map([[1, keyOf(1)]]), 1);
const rotated = new Keyring(
  new Map([
    [1, keyOf(1)],
    [2, keyOf(2)],
  ]),
  2,
);

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));

describe("Keyring", () => {
  test("opens what it sealed, for any plaintext and any row id", () => {
    fc.assert(
      fc.property(bytes, fc.string({ unit: "grapheme" }), (plaintext, aad) => {
        expect(ring.open(ring.seal(plaintext, aad), aad).equals(plaintext)).toBe(true);
      }),
    );
  });

  test("takes text as UTF-8", () => {
    expect(ring.open(ring.seal("pässwörd ₦ 😀", "row"), "row").toString()).toBe("pässwörd ₦ 😀");
  });

  test("refuses a sealed value with any bit flipped", () => {
    fc.assert(
      fc.property(bytes, fc.nat(), (plaintext, choice) => {
        const sealed = rotated.seal(plaintext, "row");
        expectRefused(() => rotated.open(withBitFlipped(sealed, choice), "row"));
      }),
    );
    const sealed = rotated.seal("short", "row");
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      expectRefused(() => rotated.open(withBitFlipped(sealed, bit), "row"));
    }
  });

  test("refuses a sealed value cut to any length, or made longer", () => {
    const sealed = ring.seal("a secret", "row");
    for (let length = 0; length < sealed.length; length++) {
      expectRefused(() => ring.open(sealed.subarray(0, length), "row"));
    }
    expectRefused(() => ring.open(Buffer.concat([sealed, Buffer.alloc(1)]), "row"));
  });

  test("refuses another row's value", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (aad, other) => {
        fc.pre(aad !== other);
        const sealed = ring.seal("a secret", aad);
        expect(() => ring.open(sealed, other)).toThrow("not authentic");
      }),
    );
  });

  test.each([
    ["an unknown version", Buffer.concat([Buffer.from([1, 0, 0, 0, 9]), Buffer.alloc(28)]), "9"],
    ["an unknown format", Buffer.alloc(33, 7), "unknown format 7"],
    ["an empty value", Buffer.alloc(0), "too short"],
  ])("says what is wrong with %s", (_what, sealed, message) => {
    expect(() => ring.open(sealed, "row")).toThrow(message);
  });

  test("has the documented layout and a new nonce each time", () => {
    const sealed = rotated.seal("12345", "row");
    expect(sealed.subarray(0, 5)).toEqual(Buffer.from([1, 0, 0, 0, 2]));
    expect(sealed).toHaveLength(1 + 4 + 12 + 5 + 16);
    expect(rotated.seal("12345", "row").subarray(5, 17)).not.toEqual(sealed.subarray(5, 17));
  });

  test("opens older versions and says that they need the current key", () => {
    const old = ring.seal("a secret", "row");
    expect(rotated.open(old, "row").toString()).toBe("a secret");
    expect([rotated.versionOf(old), rotated.needsRewrap(old)]).toEqual([1, true]);
    const renewed = rotated.seal("a secret", "row");
    expect([rotated.versionOf(renewed), rotated.needsRewrap(renewed)]).toEqual([2, false]);
    expect(() => ring.open(renewed, "row")).toThrow("Unknown data key version 2");
  });

  test("knows its versions", () => {
    expect([rotated.has(1), rotated.has(2), rotated.has(3)]).toEqual([true, true, false]);
    expect(rotated.currentVersion).toBe(2);
  });

  test.each([
    ["no current key", new Map([[1, keyOf(1)]]), 2],
    ["a key that is too short", new Map([[1, Buffer.alloc(16)]]), 1],
    ["version 0", new Map([[0, keyOf(1)]]), 0],
    ["a version beyond 32 bits", new Map([[2 ** 32, keyOf(1)]]), 2 ** 32],
    ["a fractional version", new Map([[1.5, keyOf(1)]]), 1.5],
  ])("is not made with %s", (_what, keys, currentVersion) => {
    expect(() => new Keyring(keys, currentVersion)).toThrow();
  });

  test("does not follow changes to the map it was made of", () => {
    const keys = new Map([[1, keyOf(1)]]);
    const own = new Keyring(keys, 1);
    const sealed = own.seal("a secret", "row");
    keys.get(1)?.fill(0);
    keys.clear();
    expect(own.open(sealed, "row").toString()).toBe("a secret");
  });
});

describe("master keys", () => {
  const before = parseMasterKeys(base64Of(1));
  const during = parseMasterKeys(`k2:${base64Of(2)}, default:${base64Of(1)}`);
  const after = parseMasterKeys(`k2:${base64Of(2)}`);

  test("unwrap what any of them wrapped, bound to what it was wrapped for", () => {
    fc.assert(
      fc.property(fc.string(), (aad) => {
        const key = randomBytes(32);
        const old = wrapKey(before, key, aad);
        expect(masterIdOf(old)).toBe("default");
        expect(old.includes(key)).toBe(false);
        expect(unwrapKey(during, old, aad)).toEqual(key);
        expect(() => unwrapKey(during, old, `${aad}.`)).toThrow(WrongMasterKey);
        expect(() => unwrapKey(after, old, aad)).toThrow(WrongMasterKey);
        const renewed = wrapKey(during, key, aad);
        expect(masterIdOf(renewed)).toBe("k2");
        expect(unwrapKey(after, renewed, aad)).toEqual(key);
      }),
    );
  });

  test("say by which name a key is wanted", () => {
    const wrapped = wrapKey(before, keyOf(7), "row");
    const renamed = parseMasterKeys(`k1:${base64Of(1)}`);
    expect(() => unwrapKey(renamed, wrapped, "row")).toThrow(
      "FLORIN_MASTER_KEY has no key called `default`, which the keys in this database were wrapped with.",
    );
  });

  test("refuse a wrapped key with any bit flipped or any part missing", () => {
    const wrapped = wrapKey(during, keyOf(7), "client-secrets.1");
    for (let bit = 0; bit < wrapped.length * 8; bit++) {
      expectRefused(() => unwrapKey(during, withBitFlipped(wrapped, bit), "client-secrets.1"));
    }
    for (let length = 0; length < wrapped.length; length++) {
      expectRefused(() => unwrapKey(during, wrapped.subarray(0, length), "client-secrets.1"));
    }
  });

  test("do not show when printed", () => {
    const shown = inspect([during, rotated], { depth: 9, showHidden: true });
    for (const byte of [1, 2]) {
      expect(shown).not.toContain(base64Of(byte));
      expect(shown).not.toContain(keyOf(byte).toString("hex", 0, 8));
      expect(shown).not.toContain(`0${byte} 0${byte} 0${byte}`);
    }
  });

  test.each([
    ["nothing", ""],
    ["a short key", randomBytes(31).toString("base64")],
    ["a long key", randomBytes(33).toString("base64")],
    ["hexadecimal", "ab".repeat(32)],
    ["an empty id", `:${base64Of(1)}`],
    ["an id with a space", `k 1:${base64Of(1)}`],
    ["the id after the key", `${base64Of(1)}:k1`],
    ["an empty entry", `${base64Of(1)},`],
    ["the same id twice", `k1:${base64Of(1)},k1:${base64Of(2)}`],
    ["two keys without ids", `${base64Of(1)},${base64Of(2)}`],
  ])("are not read from %s, and the message does not repeat it", (_what, text) => {
    expect(() => parseMasterKeys(text)).toThrow(/master key/i);
    try {
      parseMasterKeys(text);
    } catch (error) {
      for (const part of text.split(/[:,]/).filter((each) => each.length > 8)) {
        expect(String(error)).not.toContain(part);
      }
    }
  });
});

test("keyedHash is HMAC-SHA256 in base64url", () => {
  const expected = createHmac("sha256", keyOf(3)).update("22212345678").digest("base64url");
  expect(keyedHash(keyOf(3), "22212345678")).toBe(expected);
  expect(keyedHash(keyOf(4), "22212345678")).not.toBe(expected);
});

test.each([
  ["", "", true],
  ["a", "a", true],
  ["a", "b", false],
  ["a", "aa", false],
  ["secret", "Secret", false],
  ["secret", "secret\n", false],
  ["\u00e9", "e\u0301", false],
  ["\ud800", "\ufffd", false],
  ["x".repeat(10_000), "x".repeat(10_000), true],
])("sameSecret(%j, %j) is %s", (a, b, same) => {
  expect(sameSecret(a, b)).toBe(same);
});

test("sameSecret agrees with equality", () => {
  const text = fc.string();
  fc.assert(fc.property(text, text, (a, b) => sameSecret(a, b) === (a === b)));
  fc.assert(fc.property(text, (a) => sameSecret(a, `${a}`)));
});

test.each([
  ["a-secret", true],
  ["A-secret", false],
  ["a-secreT", false],
  ["a-sEcret", false],
  ["a-secre", false],
  ["a-secrets", false],
  ["", false],
  ["\u0161-secret", false], // its low byte is that of an a
])("isSecretHeader(%j) is %s", (given, same) => {
  expect(isSecretHeader(given, Buffer.from("a-secret"))).toBe(same);
});

test("randomSecret is base64url of as many bytes, and never the same", () => {
  expect(Buffer.from(randomSecret(32), "base64url")).toHaveLength(32);
  expect(randomSecret(32)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(new Set(Array.from({ length: 100 }, () => randomSecret(16))).size).toBe(100);
});

function withBitFlipped(sealed: Buffer, choice: number): Buffer {
  const bit = choice % (sealed.length * 8);
  const changed = Buffer.from(sealed);
  changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return changed;
}

function expectRefused(attempt: () => Buffer): void {
  expect(attempt).toThrow(/^(Sealed value|Wrapped key|FLORIN_MASTER_KEY|Unknown data key)/);
}
