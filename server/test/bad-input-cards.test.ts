import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenApiDocument } from "../src/docs/site/document.ts";
import { newId } from "../src/foundation/ids.ts";
import { expectEnvelope, expectRefusal, fieldsOf, readJson, verdict } from "./harness/answers.ts";
import { type ApiAnswer, newReference } from "./harness/api-client.ts";
import { type ApiOperation, operationsOf } from "./harness/api-slots.ts";
import { type Bank, openBank } from "./harness/bank.ts";
import { openCustomer } from "./harness/customers.ts";
import { bvn, verifyIndividual } from "./harness/kyc.ts";
import { sendSigned } from "./harness/raw-http.ts";

let bank: Bank;
let ada: string;
let operations: ApiOperation[];
beforeAll(async () => {
  bank = await openBank();
  ada = await openCustomer(bank.pool, bank.organizationId);
  const document = await readJson(`${bank.service.sandbox.apiUrl}/openapi.json`);
  operations = operationsOf(document as OpenApiDocument);
});
afterAll(() => bank.stop());

test("a card id that is never made is well-formed, and unknown", async () => {
  expectRefusal(await bank.client.get("/cards/card_zzzzzzzzzzzzzzzzzzzzzzzzzz"), "404/148");
});

test.each([
  [{ sharedBalance: false, cardId: "zzz" }, ["cardId"]],
  [{ sharedBalance: false, cardId: "zzz", initialBalance: -1 }, ["cardId", "initialBalance"]],
  [{ sharedBalance: true, cardId: newId("card", 0), initialBalance: -1 }, ["initialBalance"]],
  [{ sharedBalance: true, initialBalance: 10_000_001 }, ["cardId", "initialBalance"]],
])(
  "a re-issue with %j: what must not be there is said before what it holds is looked at",
  async (asked, fields) => {
    const answer = await bank.client.post("/cards/reissue", { customerId: ada, ...asked });
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(fields);
  },
);

test.each([-1, 10_000_001])("a re-issue with a first balance of %d: 400/111", async (amount) => {
  const body = { customerId: newId("cus", 0), sharedBalance: false, initialBalance: amount };
  expectRefusal(await bank.client.post("/cards/reissue", body), "400/111");
});

test.each(["zzz", "card_".padEnd(100, "0"), 7, null])(
  "a re-issue that shares the balance of %j: 400/112",
  async (cardId) => {
    const body = { customerId: ada, sharedBalance: true, cardId };
    expectRefusal(await bank.client.post("/cards/reissue", body), "400/112");
  },
);

/** Paths and queries as they go over the wire. */
const strange = [
  "x",
  "null",
  "0",
  "-1",
  "*",
  "%2e%2e",
  "..%2f..%2fwallets",
  "%2e%2e%2f%2e%2e%2fhealthz",
  "%27%20or%20%271%27=%271",
  "%22;drop%20table%20cards;--",
  "%00",
  "%0a",
  "%F0%9F%92%B3",
  "%E2%80%AE",
  "card_",
  "card_00000000000000000000000000%00",
  "card_00000000000000000000000000%20",
  "CARD_00000000000000000000000000",
  "card_0000000000000000000000000000",
  "card_0000000000000000000000000u",
  "x".repeat(4_000),
];

describe("what is no id names nothing,", () => {
  test("in a path: 400/112 for cards, 404/157 for all else", async () => {
    const paths = operations.flatMap((operation) =>
      operation.slots
        .filter((slot) => slot.in === "path" && slot.kind !== "reference")
        .map((slot) => [operation, slot] as const),
    );
    expect(paths.length).toBeGreaterThan(25);
    for (const [{ method, path, body }, { name, kind }] of paths) {
      for (const text of strange) {
        const target = path.replace(`{${name}}`, text);
        const answer = await sendSigned(bank.client, method, target, body ? { body } : {});
        const expected = kind === "card" ? "400/112" : "404/157";
        expect.soft(verdict(answer), `${method} ${target.slice(0, 80)}`).toBe(expected);
        expectEnvelope(answer);
      }
    }
  });

  test("in a query: 400/112 for cards, 400/131 with its name for all else", async () => {
    const queries = operations.flatMap(({ path, slots }) =>
      slots.filter((slot) => slot.in === "query").map((slot) => [path, slot] as const),
    );
    expect(queries.length).toBeGreaterThan(3);
    for (const [path, { name, kind }] of queries) {
      for (const text of ["", ...strange]) {
        const answer = await sendSigned(bank.client, "GET", `${path}?${name}=${text}`);
        const expected = kind === "card" ? "400/112" : "400/131";
        expect.soft(verdict(answer), `${path} ${name}=${text.slice(0, 80)}`).toBe(expected);
        expect.soft(fieldsOf(answer), path).toEqual([name]);
      }
    }
  });
});

describe("every list", () => {
  const ask = async (queries: readonly [name: string, query: string, expected: string][]) => {
    let asked = 0;
    for (const { method, path, query } of operations) {
      for (const [name, text, expected] of queries) {
        if (method !== "GET" || !query.includes(name)) continue;
        const own = path.replace(/\{.*\}/, await (path.startsWith("/cards") ? aCard() : aWallet()));
        const answer = await bank.client.get(`${own}?${text}`);
        expect.soft(verdict(answer), `${path} ${text}`).toBe(expected);
        asked++;
      }
    }
    expect(asked).toBeGreaterThanOrEqual(5 * queries.length);
  };

  let cardId: string | undefined;
  const aCard = async (): Promise<string> => {
    cardId ??= (await bank.open()).cardId;
    return cardId;
  };
  const aWallet = (): Promise<string> => bank.walletId();

  test("is a list or a refusal, whatever its filters are asked with", async () => {
    let asked = 0;
    for (const { method, path, query } of operations) {
      if (method !== "GET" || path.includes("{")) continue;
      for (const name of query) {
        for (const text of ["", ...strange, "x&".repeat(2) + name]) {
          const answer = await sendSigned(bank.client, "GET", `${path}?${name}=${text}`);
          const what = `${path} ${name}=${text.slice(0, 80)}: ${verdict(answer)}`;
          expect.soft([200, 400], what).toContain(answer.status);
          expectEnvelope(answer);
          asked++;
        }
      }
    }
    expect(asked).toBeGreaterThan(500);
  });

  test("refuses days that do not exist: 400/132", () =>
    ask([
      ["from", "from=2026-02-29", "400/132"],
      ["from", "from=2100-02-29", "400/132"],
      ["from", "from=2026-13-01", "400/132"],
      ["to", "to=2026-04-31", "400/132"],
      ["to", "to=2026-1-1", "400/132"],
      ["to", "to=", "400/132"],
      ["from", "from=2026-01-01T25:00:00Z", "400/132"],
      ["from", "from=1700000000", "400/132"],
      ["from", "from=2026-01-01T00:00:00%2B99:00", "400/132"],
      ["to", "to=%00", "400/132"],
      ["to", `to=${"9".repeat(39)}`, "400/132"],
      ["to", `to=${"9".repeat(400)}`, "400/132"],
      ["from", "from=2026-01-02&to=2026-01-01", "400/132"],
      ["from", "from=2024-02-29&to=2024-02-29", "200/000"],
    ]));

  test.each([
    ["from=yesterday", "400/132", ["from"]],
    [`to=${"9".repeat(400)}`, "400/132", ["to"]],
    ["from=yesterday&to=2026-04-31", "400/132", ["from", "to"]],
    ["limit=0&from=yesterday&x=1", "400/131", ["from", "limit", "x"]],
  ])("names every field that is wrong, days too: %s", async (query, expected, fields) => {
    const answer = await bank.client.get(`/cards?${query}`);
    expectRefusal(answer, expected);
    expect(fieldsOf(answer).toSorted()).toEqual(fields);
  });

  test("refuses pages that there are not: 400/131", () =>
    ask([
      ["limit", "limit=0", "400/131"],
      ["limit", "limit=101", "400/131"],
      ["limit", "limit=-1", "400/131"],
      ["limit", "limit=1.5", "400/131"],
      ["limit", "limit=1e1", "400/131"],
      ["limit", "limit=0x10", "400/131"],
      ["limit", "limit=%201", "400/131"],
      ["limit", "limit=1&limit=2", "400/131"],
      ["cursor", "cursor=%00", "400/131"],
      ["cursor", "cursor=..", "400/131"],
      ["cursor", `cursor=${Buffer.from("' or 1=1").toString("base64url")}`, "400/131"],
      ["cursor", `cursor=${Buffer.from(newId("req", 0)).toString("base64url")}`, "400/131"],
      ["cursor", `cursor=${"A".repeat(4_000)}`, "400/131"],
      ["limit", "limit=100", "200/000"],
    ]));
});

describe("names as people have them", () => {
  test.each([
    ["Adá", "Óbí"],
    ["Yẹmí", "Adéṣínà"],
    ["Zoë-Marie", "O’Neill"],
    ["李", "小明"],
    ["محمد", "العربي"],
    ["Ada\u200f", "Obi\u200e"],
    ["Ada 😀", "Obi 👩‍👩‍👧‍👦"],
    ["A".repeat(100), "é".repeat(100)],
    ["x'; drop table customers; --", '"Obi"'],
  ])("%s %s are kept as they are, and a card can be issued", async (firstName, lastName) => {
    const submitted = bvn({ firstName, lastName });
    const { data } = (await verifyIndividual(bank.client, submitted)).body;
    const [customer] = (
      await bank.client.get(`/customers?clientReference=${submitted.clientReference}`)
    ).body.data;
    expect(customer).toMatchObject({ firstName, lastName, status: data.status });
    if (data.status !== "Approved") return;
    const { body } = await bank.client.post("/cards/retail", { customerId: data.customerId });
    expect(body.data.nameOnCard).toMatch(/^[A-Z][A-Z .'-]{0,25}$/);
  });

  test.each([
    ["10,000 letters", "A".repeat(10_000)],
    ["a direction turned around", "A\u202eda"],
    ["an isolate", "A\u2066da"],
    ["a NUL", "A\0da"],
    ["half an emoji", "A\ud83d"],
    ["a line break", "A\nda"],
    ["a tab", "A\tda"],
    ["a line separator", "A\u2028da"],
    ["nothing but blanks", " \u00a0\u2003 "],
    ["nothing", ""],
  ])("%s: 400/131 that names the field", async (_what, name) => {
    const submitted = bvn({ firstName: name });
    const answer = await verifyIndividual(bank.client, submitted);
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(["individualKyc.firstName"]);
    const { body } = await bank.client.get(
      `/customers?clientReference=${submitted.clientReference}`,
    );
    expect(body.data).toEqual([]);
  });
});

type Fields = Record<string, unknown>;

/** What a field might be sent with, by somebody careless or hostile. */
const values: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  "",
  " ",
  "x",
  "\0",
  "\ud800",
  "‮abc",
  "😀",
  "' or 1=1 --",
  "{{7*7}}",
  "x".repeat(10_000),
  [],
  [null],
  [[]],
  Array.from({ length: 600 }, () => "5411"),
  {},
  { a: { a: {} } },
  { toString: 1 },
  JSON.parse('{"constructor":{"prototype":{}}}'),
];

describe("whatever a field is sent with,", () => {
  /** What was refused with 400, to be sent once more. */
  const refused: { operation: ApiOperation; path: string; body: Fields; field: string }[] = [];

  test("the answer is an answer, and says which field was wrong", async () => {
    const { cardId } = await bank.open();
    const own: Record<string, string> = { card: cardId, cus: ada, wal: await bank.walletId() };
    for (const operation of operations) {
      const { method, route, wholeBody, slots } = operation;
      if (typeof wholeBody !== "object" || untouchable.test(route)) continue;
      let path = operation.path;
      for (const { in: place, name, kind } of slots) {
        if (place === "path") path = path.replace(`{${name}}`, own[kind] ?? newId("txn", 0));
      }
      for (const field of leavesOf(wholeBody as Fields)) {
        for (const value of values) {
          const body = withValue(operation, field, value, own);
          const answer = await bank.client.call(method, path, { body });
          expectAnswer(answer, `${route} ${field} = ${JSON.stringify(value).slice(0, 60)}`, field);
          if (answer.status === 400) refused.push({ operation, path, body, field });
        }
      }
    }
    expect(refused.length).toBeGreaterThan(500);
  }, 240_000);

  test("a refused request leaves nothing: no row, no Reference", async () => {
    const sample = refused.filter((_, n) => n % 5 === 0);
    const references = sample.map(() => newReference());
    const before = await countRows();
    for (const [n, { operation, path, body }] of sample.entries()) {
      const reference = references[n] ?? "";
      const answer = await bank.client.call(operation.method, path, { body, reference });
      expect
        .soft(answer.status, `${operation.route} ${JSON.stringify(body).slice(0, 200)}`)
        .toBe(400);
    }
    expect(await countRows()).toEqual(before);
    const { rows } = await bank.pool.query(
      "select reference from request_references where reference = any($1)",
      [references],
    );
    expect(rows).toEqual([]);
    await bank.expectProof();
  });

  /** But for the log of requests, which shows refused ones too, and what jobs note at times of their own. */
  async function countRows(): Promise<Record<string, bigint>> {
    const counts: Record<string, bigint> = {};
    const { rows } = await bank.pool.query(
      `select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'request_references%'
          and table_name not in ('api_requests', 'hold_sweeps', 'webhook_workers')`,
    );
    for (const { name } of rows) {
      counts[name] = (await bank.pool.query(`select count(*) as n from ${name}`)).rows[0].n;
    }
    return counts;
  }
});

/** About all who use the sandbox, or about addresses that the service would call. */
const untouchable =
  /^POST \/simulator\/(clock|faults)|^[A-Z]+ \/(webhook-endpoints|settings|events)\b/;

/** The paths of a body's fields, those within fields too. */
function leavesOf(body: Fields, within = ""): string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return [within + name, ...(isObject ? leavesOf(value as Fields, `${within}${name}.`) : [])];
  });
}

/** The body that is known to be good, with this field set. */
function withValue(
  { body, wholeBody, slots }: ApiOperation,
  field: string,
  value: unknown,
  own: Record<string, string>,
): Fields {
  const changed = structuredClone(body ?? {}) as Fields;
  for (const { in: place, name, kind } of slots) {
    if (place === "body" && name in changed) changed[name] = own[kind] ?? changed[name];
  }
  const steps = field.split(".");
  const last = steps.pop() ?? "";
  let at = changed;
  let like = wholeBody as Fields;
  for (const step of steps) {
    at[step] ??= structuredClone(like[step]);
    at = at[step] as Fields;
    like = like[step] as Fields;
  }
  at[last] = value;
  return changed;
}

function expectAnswer(answer: ApiAnswer, what: string, field: string): void {
  expect.soft([200, 400, 403, 404, 422], `${what}: ${verdict(answer)}`).toContain(answer.status);
  expectEnvelope(answer);
  if (verdict(answer) !== "400/131") return;
  // What a field holds may be named, or what it is in; fields that exclude each other name the others.
  if (field === "sharedBalance") return;
  const isNamed = fieldsOf(answer).some(
    (name) => `${name}.`.startsWith(`${field}.`) || field.startsWith(name),
  );
  expect.soft(isNamed, `${what}: ${JSON.stringify(answer.body.errors)}`).toBe(true);
}
