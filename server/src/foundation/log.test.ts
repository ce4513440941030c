import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newId } from "./ids.ts";
import { createLog, type Log } from "./log.ts";
import { redactLine } from "./redact.ts";

/** What a log writes, as text; every line must still be one line of JSON. */
function written(use: (log: Log) => void): string {
  const lines: string[] = [];
  use(createLog({ level: "info", destination: { write: (line) => void lines.push(line) } }));
  for (const line of lines) {
    expect(line.indexOf("\n")).toBe(line.length - 1);
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) });
  }
  return lines.join("");
}

type Place = (log: Log, secret: string) => void;

const places: Record<string, Place> = {
  message: (log, secret) => log.info(`before ${secret} after`),
  "message, alone": (log, secret) => log.info(secret),
  "message, after letters": (log, secret) => log.info(`got "${secret}"x`),
  "message argument": (log, secret) => log.info("before %s after", secret),
  "object in a message": (log, secret) => log.info("before %o after", { deep: { er: secret } }),
  "message prefix": (log, secret) => log.child({}, { msgPrefix: `[${secret}] ` }).info("hello"),
  field: (log, secret) => log.info({ note: secret }, "hello"),
  "nested field": (log, secret) => log.info({ a: { b: { c: { d: secret } } } }, "hello"),
  array: (log, secret) => log.info({ list: ["first", secret] }),
  "objects in arrays": (log, secret) => log.info({ list: [[{ a: [{ b: secret }] }]] }),
  key: (log, secret) => log.info({ map: { [secret]: 1 } }),
  "child binding": (log, secret) => log.child({ binding: { inner: secret } }).info("hello"),
  error: (log, secret) => log.error(new Error(`failed with ${secret}`)),
  "error beside a message": (log, secret) => log.error({ err: new Error(secret) }, "failed"),
  "error cause": (log, secret) =>
    log.error(new Error("outer", { cause: new Error("inner", { cause: new Error(secret) }) })),
  "error stack": (log, secret) => {
    const error = new Error("failed");
    error.stack = `Error: failed\n    at https://example.com/${secret}/x.js:1:2`;
    log.error({ err: error });
  },
  "error property": (log, secret) =>
    log.error(Object.assign(new Error("failed"), { config: { data: secret } })),
  "errors of an error": (log, secret) => log.error(new AggregateError([new Error(secret)], "many")),
  "URL path": (log, secret) => log.info({ req: { url: `/api/v1/cards/${secret}?page=1` } }),
  "URL query": (log, secret) => log.info({ req: { url: `/api/v1/cards?page=1&q=${secret}&x=2` } }),
  "JSON in a message": (log, secret) => log.info(`sent ${JSON.stringify({ body: { x: secret } })}`),
  "JSON in JSON": (log, secret) => log.info({ s: JSON.stringify(JSON.stringify({ x: secret })) }),
  "after a control character": (log, secret) => log.info(`\u0001${secret}\u0001`),
  "after a line break": (log, secret) => log.info({ text: `first\n\t${secret}\nlast` }),
};

const jwt = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJjbGllbnQifQ.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg";
const base64 = Buffer.alloc(600, "image ").toString("base64");

/** Each secret with the part of it that must not be found. */
const secrets: Record<string, [text: string, hidden: string]> = {
  "cookie after another": ["Cookie: lang=en; florin=Hunter2", "Hunter2"],
  "card number of 16 digits": ["4111111111111111", "4111111111111111"],
  "card number of 15 digits": ["378282246310005", "378282246310005"],
  "card number of 13 digits": ["4222222222222", "4222222222222"],
  "card number of 19 digits": ["6304000000000000000", "6304000000000000000"],
  "card number with spaces": ["5555 5555 5555 4444", "5555 5555 4444"],
  "card number with dashes": ["4111-1111-1111-1111", "1111-1111-1111"],
  "card number as printed on Amex": ["3782 822463 10005", "822463"],
  "card number digit by digit": ["4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "1 1 1 1 1 1 1"],
  "card number in pairs": ["41 11 11 11 11 11 11 11", "11 11 11 11"],
  "card number with no-break spaces": ["5555\u00a05555\u00a05555\u00a04444", "5555\u00a04444"],
  "card number in a URL": ["5555%205555%205555%204444", "5555%204444"],
  "card number with dots": ["4111.1111.1111.1111", "1111.1111"],
  "card number with underscores": ["4111_1111_1111_1111", "1111_1111"],
  "card number with slashes": ["5555/5555/5555/4444", "5555/4444"],
  "card number with slashes in a path": ["5555%2F5555%2f5555%2F4444", "5555%2F4444"],
  "card number with two blanks": ["4111  1111  1111  1111", "1111  1111"],
  "card number with commas and blanks": ["3782, 822463, 10005", "822463"],
  "card number of 19 digits with dots": ["6304.0000.0000.0000.000", "0000.0000"],
  "card number with dots before its CVV": ["4111.1111.1111.1111.123", "1111.1111"],
  "card number with slashes before its expiry": ["4111/1111/1111/1111/12/29", "1111/1111"],
  "card number with dots after a year": ["2026.4111.1111.1111.1111", "1111.1111"],
  "card number with blanks after a year": ["2026 4111 1111 1111 1111", "1111 1111"],
  "card number with percent signs": ["4111%1111%1111%1111", "1111%1111"],
  "card number with tabs in a path": ["4111%091111%091111%091111", "091111"],
  "card number with several signs in a path": ["4111,%201111,%201111,%201111", "201111"],
  "card number with dots after a digit": ["14111.1111.1111.1111", "1111.1111"],
  "card number in a form": ["5555+5555+5555+4444", "5555+4444"],
  "track 2": ["4111111111111111=29121010000012345678", "1111111111"],
  "card number after a digit": ["14111111111111111", "411111111111"],
  "card number after its length": ["164111111111111111", "411111111111"],
  "card number and CVV in one": ["4111111111111111123", "4111111111111"],
  "card number among more digits": ["02004111111111111111000000", "4111111111111111"],
  "card number before its expiry": ["4111111111111111 12/29", "11111111111"],
  "card number before its CVV": ["4111 1111 1111 1111 123", "1111 1111"],
  "card number after an amount": ["12 4111-1111-1111-1111", "1111-1111"],
  "card number after a date": ["2026-11-15 4111111111111111", "11111111111"],
  "two card numbers": ["4111111111111111 5555555555554444", "5555555555554444"],
  BVN: ["22212345678", "22212345678"],
  "BVN beside other numbers": ["15 22212345678 01", "2221234"],
  "NIN with a leading zero": ["01234567890", "1234567890"],
  "bearer token": ["Bearer 8f14e45fceea167a5a36dedd4bea2543", "8f14e45f"],
  "bearer token in lower case": ["bearer c29tZXRoaW5n", "c29tZXRoaW5n"],
  "basic credentials": ["Basic Y2xpZW50OnNlY3JldA==", "Y2xpZW50OnNlY3JldA"],
  "service authorization": ["ServiceAuth Y2xpZW50LTdmM2E=", "Y2xpZW50LTdmM2E"],
  JWT: [jwt, "c2lnbmF0dXJl"],
  "webhook secret": ["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", "C2FVsBQIhrscChlQ"],
  "API key": ["sk_live_51H8aBcDeFgHiJkLmNoP", "51H8aBcDeFgH"],
  "database address": ["postgres://florin:h@nter2zq@db:5432/florin", "nter2zq"],
  "private key": [
    "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMG\n-----END PRIVATE KEY-----",
    "MIGHAgEAMBMG",
  ],
  image: [`data:image/png;base64,${base64}`, base64.slice(0, 40)],
};

describe("secrets by their look", () => {
  test.each(
    Object.entries(secrets).flatMap(([kind, [text, hidden]]) =>
      Object.entries(places).map(([place, log]) => ({ kind, place, text, hidden, log })),
    ),
  )("$kind, $place", ({ text, hidden, log }) => {
    const output = written((to) => log(to, text));
    expect(output).not.toBe("");
    expect(output).not.toContain(hidden);
  });

  test("a card number keeps its first six and last four digits", () => {
    const path = "/cards/4111%2F1111%2F1111%2F1111";
    const output = written((log) =>
      log.info({ a: "4111111111111111", b: 5_555_555_555_554_444, path }),
    );
    const masked = "411111******1111";
    expect(JSON.parse(output)).toMatchObject({
      a: masked,
      b: "555555******4444",
      path: `/cards/${masked}`,
    });
  });

  test.each([
    ["a card number", 4_111_111_111_111_111],
    ["a BVN", 22_212_345_678],
    ["a card number of 19 digits", 6_304_000_000_000_000_000n],
    ["a negative one", -4_111_111_111_111_111],
  ])("%s as a number", (_what, number) => {
    const digits = String(number).replace("-", "");
    for (const value of [number, [number], { deep: number }]) {
      expect(written((log) => log.info({ value }))).not.toContain(digits);
    }
    expect(written((log) => log.info(`the number is ${number}`))).not.toContain(digits);
  });

  test.each(["22212345678", "22212345678 4111111111111111"])(
    "of an identity number, as in %s, no digit is kept",
    (text) => {
      const output = written((log) => log.info({ text }));
      expect(JSON.parse(output).text).toMatch(/^\*+$/);
    },
  );

  test("a number of more digits than can be read exactly", () => {
    const output = redactLine('{"level":30,"value":6304012345678901235}\n');
    expect(output).not.toContain("630401234567");
  });

  test("the bytes of a buffer", () => {
    const output = written((log) => log.info({ body: Buffer.from("4111111111111111") }));
    expect(output).not.toContain("52,49,49");
  });
});

const value = "Hunter2-zQ.x";
const names = [
  ...["authorization", "Authorization", "AUTHORIZATION", "serviceauthorization", "uniquekey"],
  ...["ServiceAuthorization", "UniqueKey", "unique_key", "signature", "Signature", "cookie"],
  ...["set-cookie", "Set-Cookie", "x-api-key", "X-API-Key", "apiKey", "clientSecret", "secret"],
  ...["client_secret", "CLIENT_SECRET", "clientsecret", "newClientSecret", "webhookSecret"],
  ...["password", "Password", "currentPassword", "token", "access_token", "accessToken", "totp"],
  ...["kycToken", "id_token", "webhook-signature", "pan", "PAN", "cardPan", "card_pan", "cvv"],
  ...["CVV", "cvv2", "pin", "otp", "idNumber", "id_number", "idnumber", "idFrontImage", "bvn"],
  ...["idBackImage", "id_back_image", "nin", "vNIN", "cardNumber", "privateKey", "masterKey"],
  ...["passwd", "passphrase", "cvc", "cvc2", "vnin"],
];

const namedPlaces: Record<string, (log: Log, name: string) => void> = {
  field: (log, name) => log.info({ [name]: value }),
  "nested field": (log, name) => log.info({ req: { headers: { host: "x", [name]: value } } }),
  "field in arrays": (log, name) => log.info({ list: [[{ [name]: value }]] }),
  "list of values": (log, name) => log.info({ [name]: [value, value] }),
  object: (log, name) => log.info({ [name]: { inner: [{ deep: value }] } }),
  number: (log, name) => log.info({ [name]: 987_321 }),
  "child binding": (log, name) => log.child({ bound: { [name]: value } }).info("hello"),
  "error property": (log, name) =>
    log.error(Object.assign(new Error("failed"), { request: { [name]: value } })),
  "object in a message": (log, name) => log.info("sent %o", { [name]: value }),
  "raw headers": (log, name) => log.info({ rawHeaders: ["Host", "x", name, value] }),
  "pairs of headers": (log, name) =>
    log.info({
      headers: [
        ["host", "x"],
        [name, value],
      ],
    }),
  "named values": (log, name) => log.info({ headers: [{ name, value }] }),
  "URL query": (log, name) => log.info({ url: `/path?a=1&${name}=${value}&b=2` }),
  "header in a message": (log, name) => log.info(`${name}: ${value}`),
  "JSON in a message": (log, name) => log.info(`sent ${JSON.stringify({ a: 1, [name]: value })}!`),
  "JSON in JSON": (log, name) => log.info({ s: JSON.stringify(JSON.stringify({ [name]: value })) }),
  "inspected object in an error": (log, name) =>
    log.error(new Error(`bad { '${name}': '${value}' } given`)),
};

test.each(
  names.flatMap((name) =>
    Object.entries(namedPlaces).map(([place, log]) => ({ name, place, log })),
  ),
)("$name as $place is redacted", ({ name, log }) => {
  const output = written((to) => log(to, name));
  expect(output).not.toBe("");
  expect(output).not.toContain("unter2");
  expect(output).not.toContain("987321");
});

test.each(["detail", "hint", "where", "internalQuery"])(
  "the %s of a database's error, which may quote a row, stays behind",
  (field) => {
    const error = Object.assign(new Error("duplicate key"), { code: "23505", [field]: "Ada" });
    const output = written((log) => log.error({ err: error }, "failed"));
    expect(output).not.toContain("Ada");
    expect(JSON.parse(output)).toMatchObject({ err: { message: "duplicate key", code: "23505" } });
  },
);

test("whether there is a secret is told", () => {
  const output = written((log) => log.info({ hasSecret: true, token: null, cvv: "" }));
  expect(JSON.parse(output)).toMatchObject({ hasSecret: true, token: null, cvv: "" });
});

describe("kept as they are", () => {
  test.each([
    { cardId: "card_01hx5m3v8p2t7w9k4y6z0a1b2c" },
    { cardId: "card_01234567890123456789012345" },
    { url: "/api/v1/cards/card_04111111111111111012345678/top-up?page=2" },
    { at: "2026-11-15T01:22:33.123Z", until: "2026-11-15 01:22:33.123456+00" },
    { period: "2026-01-04 2026-03-07 2026-11-15" },
    { amountMinor: 12_345_678_901, balanceMinor: 4_111_111_111_111_111, heldMinor: "22212345678" },
    { amount: 100_000_000.5, balance: 12_345_678_901 },
    { nowMs: 1_731_634_953_128, durationMs: 12.345678901234567 },
    { responseTime: 4.111111111111111, ratio: 0.30000000000000004 },
    { maskedNumber: "411111******1111", last4: "1111", expiry: "2912" },
    { span: "a", japan: "b", mapping: "c", opening: "d", tokenType: "Bearer", spinning: 3 },
    { text: "authorization declined; the signature does not match, no token given" },
    { text: "neither Basic nor Bearer" },
    { phone: "0803 123 4567", ip: "192.168.100.200", port: 5432, code: "000" },
    { url: "http://127.0.0.1:4000/x@y", mail: "ada@example.com", ipv6: "2001:db8::1" },
    {
      reference: "20261118062317123",
      snowflake: "1734567890123456789",
      of: "ORD-20261118062317123",
    },
    { text: "4111.1111.1111.1112 and 0.4111111111111 of 2026/1115/0122/3312" },
    { digits13: "4111111111112", digits12: "411111111111", digits10: "0123456789" },
  ])("%o", (fields) => {
    expect(JSON.parse(written((log) => log.info(fields)))).toMatchObject(fields);
  });

  test("all ids", () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 40 }), (atMs) => {
        const id = newId("card", atMs);
        expect(JSON.parse(written((log) => log.info({ id, msg: `of ${id}.` })))).toMatchObject({
          id,
          msg: `of ${id}.`,
        });
      }),
    );
  });

  test("a line has level, ISO time and nothing unasked for", () => {
    const line = JSON.parse(written((log) => log.info({ a: 1 }, "hello")));
    expect(line).toEqual({ level: 30, time: expect.any(String), a: 1, msg: "hello" });
    expect(new Date(line.time).toISOString()).toBe(line.time);
  });

  test("lines below the level are not written", () => {
    expect(written((log) => log.debug("hello"))).toBe("");
  });
});

describe("any card number", () => {
  const number = fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 18 })
    .map((digits) => digits.join(""))
    .map((digits) => digits + checkDigit(digits));
  const grouped = fc
    .tuple(number, fc.integer({ min: 1, max: 6 }), fc.constantFrom("", " ", "-", "+", "\u2013"))
    .map(([digits, size, separator]) => ({
      digits,
      text: digits.replace(new RegExp(`\\d{${size}}(?=\\d)`, "g"), `$&${separator}`),
    }));
  const text = fc.oneof(
    fc.lorem(),
    fc.string().filter((each) => !/\d/.test(each)),
  );
  const depth = { depthSize: "medium", withCrossShrink: true } as const;

  test("in any JSON is masked", () => {
    fc.assert(
      fc.property(
        grouped.chain((card) =>
          fc.tuple(
            fc.constant(card),
            fc.letrec(shapeAround(card.text)).shape as fc.Arbitrary<object>,
          ),
        ),
        ([card, shape]) => {
          const output = written((log) => log.info({ shape }, JSON.stringify(shape)));
          expect(output).not.toContain(card.digits);
          expect(output).not.toContain(card.text);
        },
      ),
      { numRuns: 500 },
    );
  });

  function shapeAround(secret: string) {
    const before = fc.constantFrom("", "7 ", "12 ", "2026-11-15 ");
    const after = fc.constantFrom("", " 123", " 12/29", "=2912");
    const holder = fc
      .tuple(text, before, after, text)
      .map(([start, left, right, end]) => `${start} ${left}${secret}${right} ${end}`);
    return (tie: fc.LetrecTypedTie<{ shape: unknown; node: unknown }>) => ({
      shape: fc.oneof(
        fc.dictionary(text, tie("node"), { minKeys: 1, maxKeys: 3 }),
        fc.array(tie("node"), { minLength: 1, maxLength: 3 }),
        holder.map((key) => ({ [key]: 1 })),
      ),
      node: fc.oneof(depth, holder, fc.boolean(), tie("shape")),
    });
  }
});

test("a line that is not JSON is withheld", () => {
  const output = redactLine("no JSON, and 4111111111111111\n");
  expect(JSON.parse(output)).toMatchObject({ msg: expect.stringContaining("withheld") });
});

function checkDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 0 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return (10 - (sum % 10)) % 10;
}
