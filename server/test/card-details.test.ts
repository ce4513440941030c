import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPool, type Pool } from "../src/db/pool.ts";
import { newId } from "../src/foundation/ids.ts";
import { becomes, expectEnvelope, expectRefusal, verdict } from "./harness/answers.ts";
import { type ApiAnswer, type ApiClient, newReference } from "./harness/api-client.ts";
import { openCustomer } from "./harness/customers.ts";
import { miscount } from "./harness/kept.ts";
import { foundOrganization, openOperator } from "./harness/operator.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const lines: string[] = [];
let service: TestService;
let client: ApiClient;
let pool: Pool;
let organizationId: string;
let customerId: string;
beforeAll(async () => {
  const log = { write: (line: string) => void lines.push(line) };
  service = await startTestService({ FLORIN_LOG_LEVEL: "trace" }, { log });
  client = service.client;
  pool = createPool(service.databaseUrl, 3);
  const { rows } = await pool.query("select organization_id as id from organizations");
  organizationId = rows[0].id;
  customerId = await openCustomer(pool, organizationId);
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into cards of every shape.
const issue = async (kind = "retail", body: object = {}): Promise<any> =>
  (await client.post(`/cards/${kind}`, { customerId, ...body })).body.data;

const secure = (cardId: string, reference = newReference()): Promise<ApiAnswer> =>
  client.get(`/cards/${cardId}/secure`, { reference });

const auditsOf = async (cardId: string) =>
  (
    await pool.query(
      `select organization_id as "organizationId", actor, action, detail from audit_log
        where detail->>'cardId' = $1 order by audit_id`,
      [cardId],
    )
  ).rows;

describe("masked details", () => {
  test("are the card as it was issued, with its balance of now", async () => {
    const card = await issue("retail", { initialBalance: 5 });
    await client.post(`/cards/${card.cardId}/top-up`, { amount: 2.5 });
    const answer = await client.get(`/cards/${card.cardId}`);
    expectEnvelope(answer);
    expect(answer.body.data).toEqual({ ...card, balance: 7.5, availableBalance: 7.5 });
  });

  test("tell apart what is held", async () => {
    const { cardId } = await issue("retail", { initialBalance: 5 });
    await pool.query(
      `update accounts a set held_minor = 150 from cards c
        where c.card_id = $1 and a.account_id = c.account_id`,
      [cardId],
    );
    expect((await client.get(`/cards/${cardId}`)).body.data).toMatchObject({
      balance: 5,
      availableBalance: 3.5,
      heldAmount: 1.5,
    });
  });

  test("of a lite card count its swipes", async () => {
    const { cardId } = await issue("lite", { balance: 5, swipeCount: 3 });
    await miscount(pool, cardId, { swipes: 2 });
    const { data } = (await client.get(`/cards/${cardId}`)).body;
    expect(data).toMatchObject({ swipeCount: 3, swipesUsed: 2 });
  });

  test("are not on record", async () => {
    const { cardId } = await issue();
    await client.get(`/cards/${cardId}`);
    expect(await auditsOf(cardId)).toEqual([]);
  });
});

describe("full details", () => {
  test("add the number and the CVV, are not to be cached, and are on record", async () => {
    const card = await issue("retail", { initialBalance: 5, metadata: { a: "b" } });
    const answer = await secure(card.cardId);
    expectEnvelope(answer);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body.data).toEqual({
      ...card,
      pan: expect.stringMatching(/^411111\d{10}$/),
      cvv: expect.stringMatching(/^\d{3}$/),
    });
    expect(await auditsOf(card.cardId)).toEqual([
      {
        organizationId,
        actor: service.sandbox.clientId,
        action: "card.secrets_read",
        detail: { cardId: card.cardId, requestId: answer.body.requestId },
      },
    ]);
    const again = await secure(card.cardId);
    expect(again.body.data).toEqual(answer.body.data);
    expect(await auditsOf(card.cardId)).toHaveLength(2);
  });

  test("of different cards differ", async () => {
    const cards = await Promise.all(Array.from({ length: 5 }, () => issue()));
    const answers = await Promise.all(cards.map(({ cardId }) => secure(cardId)));
    expect(new Set(answers.map(({ body }) => body.data.pan)).size).toBe(5);
  });

  test("need the scope CardSecrets", async () => {
    const { cardId } = await issue();
    const { body } = await client.requestToken({ scope: "CardAPIs" });
    const headers = { Authorization: `Bearer ${body.access_token}` };
    expectRefusal(await client.get(`/cards/${cardId}/secure`, { headers }), "403/149");
    expect(verdict(await client.get(`/cards/${cardId}`, { headers }))).toBe("200/000");
    expect(await auditsOf(cardId)).toEqual([]);
  });

  test("are not found out by many dry runs without that scope", async () => {
    const { cardId } = await issue();
    const { body: whole } = await secure(cardId);
    const { body } = await client.requestToken({ scope: "CardAPIs" });
    const headers = { Authorization: `Bearer ${body.access_token}` };
    const rehearse = (cvv: object, options = {}) =>
      client.post("/authorizations/dry-run", { cardId, amount: 0, ...cvv }, options);
    const { cvv } = whole.data;
    const wrong = { cvv: cvv === "000" ? "001" : "000" };
    expect((await rehearse({ cvv }, { headers })).body.data).toMatchObject({ approved: true });
    // All at once: those under way count too.
    const tries = Array.from({ length: 25 }, () => rehearse(wrong, { headers }));
    const verdicts = (await Promise.all(tries)).map(verdict).sort();
    expect(verdicts).toEqual([...Array(19).fill("200/000"), ...Array(6).fill("429/170")]);
    const refused = await rehearse({ cvv }, { headers });
    expectRefusal(refused, "429/170");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_000);

    expect(verdict(await rehearse({}, { headers }))).toBe("200/000");
    expect((await rehearse({ cvv })).body.data).toMatchObject({ approved: true });
    const { cardId: other } = await issue();
    expect(verdict(await rehearse({ ...wrong, cardId: other }, { headers }))).toBe("200/000");
  });

  test("come once for a Reference, and so does their record", async () => {
    const { cardId } = await issue();
    const reference = newReference();
    const answers = await Promise.all([secure(cardId, reference), secure(cardId, reference)]);
    expect(answers.map(verdict).sort()).toEqual(["200/000", "400/139"]);
    expectRefusal(await secure(cardId, reference), "400/139");
    expect(await auditsOf(cardId)).toHaveLength(1);
    const known = await client.get(`/requests/${reference}`);
    expect(known.body.data).toMatchObject({ state: "Succeeded", resourceId: cardId });
  });

  test("of a card that nobody sealed a number for are not made up", async () => {
    const { cardId } = await issue();
    const { cardId: other } = await issue();
    // A number that was moved to another card must not open there.
    await pool.query(
      `update card_secrets set pan_sealed = (select pan_sealed from card_secrets where card_id = $2)
        where card_id = $1`,
      [cardId, other],
    );
    expectRefusal(await secure(cardId), "500/911");
    expect(await auditsOf(cardId)).toEqual([]);
  });
});

describe("whoever asks for what is not theirs", () => {
  const paths = [
    (cardId: string) => `/cards/${cardId}`,
    (cardId: string) => `/cards/${cardId}/secure`,
  ];

  test.each(paths)("%s: learns nothing", async (path) => {
    const { cardId } = await issue();
    const operator = await openOperator(service);
    const another = await foundOrganization(operator, service, {
      defaultScopes: ["CardAPIs", "CardSecrets"],
    });
    await operator.close();
    const theirs = await another.client.get(path(cardId));
    const unknown = await another.client.get(path(newId("card", 0)));
    expectRefusal(theirs, "404/148");
    expect({ ...theirs.body, requestId: "" }).toEqual({ ...unknown.body, requestId: "" });
    for (const malformed of ["card_1", newId("cus", 0), "%zz", "%ff"]) {
      expectRefusal(await another.client.get(path(malformed)), "400/112");
    }
    expectRefusal(await another.client.get(`${path(cardId)}/%zz`), "404/157");
    const { organizationId, client } = another;
    const tried = {
      organizationId,
      actor: client.sandbox.clientId,
      action: "card.secrets_refused",
    };
    const isSecret = path(cardId).endsWith("/secure");
    expect(await auditsOf(cardId)).toMatchObject(isSecret ? [tried] : []);
    expect(theirs.headers.get("cache-control")).toBe(isSecret ? "no-store" : null);
  });
});

test("no number and no CVV is in the database in the clear, in an event, an error or a log line", async () => {
  const cards = await Promise.all(
    ["retail", "lite"].map((kind) =>
      issue(kind, kind === "lite" ? { balance: 1, swipeCount: 1 } : {}),
    ),
  );
  const shown = await Promise.all(cards.map(({ cardId }) => secure(cardId)));
  const reissued = await client.post("/cards/reissue", {
    customerId,
    sharedBalance: true,
    cardId: cards[0].cardId,
  });
  const pans = [...shown, await secure(reissued.body.data.cardId)].map(({ body }) => body.data.pan);

  const answers = await misuse(pans[0]);
  for (const { body } of answers) {
    expect(body.responseCode).not.toBe("000");
    for (const pan of pans) expect(JSON.stringify(body)).not.toContain(pan);
  }
  await becomes(
    async () => answers.filter(({ body }) => !lines.join("").includes(body.requestId)).length,
    0,
  );
  const places: Record<string, string> = { log: lines.join("\n"), ...(await everyTable()) };
  for (const [name, text] of Object.entries(places)) {
    for (const pan of pans) {
      for (const written of [pan, Buffer.from(pan).toString("hex"), btoa(pan).replace(/=+$/, "")]) {
        expect(text.includes(written), `${name} shows a card number`).toBe(false);
      }
    }
  }
  // Three digits are everywhere, and three letters in ids; the word that would name them is not.
  expect(places.log).not.toMatch(/\bcvv\b/i);
  expect(places.events).not.toMatch(/"(cvv|pan)"/i);
  expect(places.cards).toContain(cards[0].cardId);
});

/** Card numbers where people put them by mistake. */
async function misuse(pan: string): Promise<ApiAnswer[]> {
  return [
    await client.get(`/cards/${pan}`),
    await client.get(`/cards/${pan}/secure`),
    await client.get(`/cards?customerId=${pan}`),
    await client.get(`/cards?cursor=${pan}`),
    await client.post("/cards/retail", { customerId: pan }),
    await client.post("/cards/retail", { customerId, [pan]: pan }).then(withoutFields),
    await client.post("/cards/retail", { customerId, nameOnCard: `${pan}${pan}` }),
    await client.post("/cards/lite", { customerId, balance: Number(pan), swipeCount: 1 }),
    await client.post("/cards/reissue", { customerId, sharedBalance: true, cardId: pan }),
    await client.call("PATCH", `/cards/${pan}`, { body: { metadata: {} } }),
  ];
}

/** A field that is not known is named; that is no leak, since whoever sent it knows it. */
function withoutFields(answer: ApiAnswer): ApiAnswer {
  return { ...answer, body: { ...answer.body, errors: [] } };
}

/** Every row of every table, as text. */
async function everyTable(): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const tables: Record<string, string> = {};
  for (const { name } of rows) {
    const found = await pool.query<{ row: string }>(`select t::text as row from "${name}" t`);
    tables[name] = found.rows.map(({ row }) => row).join("\n");
  }
  expect(Object.keys(tables)).toEqual(expect.arrayContaining(["cards", "card_secrets", "events"]));
  return tables;
}
