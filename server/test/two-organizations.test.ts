import { afterAll, beforeAll, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { createPool, type Pool } from "../src/db/pool.ts";
import type { OpenApiDocument } from "../src/docs/site/document.ts";
import { type IdPrefix, newId } from "../src/foundation/ids.ts";
import { readJson } from "./harness/answers.ts";
import { type ApiClient, newReference } from "./harness/api-client.ts";
import { type ApiOperation, operationsOf, type Slot } from "./harness/api-slots.ts";
import { openCustomer } from "./harness/customers.ts";
import { until } from "./harness/eventually.ts";
import { bvn, passport } from "./harness/kyc.ts";
import { foundOrganization, type Organization, openOperator } from "./harness/operator.ts";
import { startTestService, type TestService } from "./harness/service.ts";

/** What belongs to somebody, by what names it: the prefix of an id, or `reference`. */
type Belongings = Record<string, string>;

let service: TestService;
let operator: Core;
let pool: Pool;
let ours: Organization;
let theirs: Organization;
let operations: ApiOperation[];
let belongings: Belongings;
/** All that the database has of the first organization, as text. */
let before: string;
let idsOfOurs: ReadonlySet<string>;

beforeAll(async () => {
  service = await startTestService({ FLORIN_SANDBOX_KYC_DELAY_MS: "3600000" });
  operator = await openOperator(service);
  pool = createPool(service.databaseUrl, 3);
  const scopes = { defaultScopes: ["CardAPIs", "CardSecrets"], customerManaged: true } as const;
  ours = await foundOrganization(operator, service, { name: "Ours", ...scopes });
  theirs = await foundOrganization(operator, service, { name: "Theirs", ...scopes });
  const document = await readJson(`${service.sandbox.apiUrl}/openapi.json`);
  operations = operationsOf(document as OpenApiDocument);
  for (const { client } of [ours, theirs]) {
    await done(client, "POST", "/simulator/wallets/deposits", { currency: "USD", amount: 100_000 });
  }
  belongings = await acquire(ours);
  before = await settledSnapshot(ours);
  idsOfOurs = new Set(before.match(/\b[a-z]{3,4}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g));
});
afterAll(async () => {
  await pool.end();
  await operator.close();
  await service.stop();
});

interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Sends a request and gives the answer to the byte, but for the id of the request and the time. */
async function ask(
  client: ApiClient,
  method: string,
  path: string,
  { body, accept }: { body?: unknown; accept?: string } = {},
): Promise<Answer> {
  const url = `${service.sandbox.apiUrl}/api/v1${path}`;
  const headers = await client.headers(method, url, body === undefined ? {} : { body });
  const sent = body === undefined ? null : JSON.stringify(body);
  const init = { method, headers: { ...headers, ...(accept ? { accept } : {}) }, body: sent };
  const answer = await fetch(url, init);
  const { date: _, ...kept } = Object.fromEntries(answer.headers);
  const text = (await answer.text()).replace(/req_[0-7][0-9a-hjkmnp-tv-z]{25}/g, "req_");
  return { status: answer.status, headers: kept, text };
}

/** The data of a request that must succeed. */
// biome-ignore lint/suspicious/noExplicitAny: answers are of every shape.
async function done(client: ApiClient, method: string, path: string, body?: unknown): Promise<any> {
  const { status, text } = await ask(client, method, path, { body });
  if (status !== 200) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text).data;
}

/** For events that do not happen here, where nobody listens. */
const hook = { url: "http://127.0.0.1:9/", eventTypes: ["webhook_endpoint.disabled"] };

/** Gets an organization one of everything. */
async function acquire({ client, organizationId }: Organization): Promise<Belongings> {
  const cus = await openCustomer(pool, organizationId);
  const issue = () =>
    done(client, "POST", "/cards/retail", { customerId: cus, initialBalance: 60 });
  const { cardId: card } = await issue();
  const { cardId: otherCard } = await issue();
  const purchase = { cardId: card, amount: 50, merchant: { country: "FR" } };
  const { transactionId: txn } = await done(client, "POST", "/simulator/authorizations", purchase);
  const { kycToken: kyc } = await done(client, "POST", "/kyc/individual", passport());
  await done(client, "POST", "/kyc/individual", bvn());
  const { webhookEndpointId: whe } = await done(client, "POST", "/webhook-endpoints", hook);
  const [{ walletId: wal }] = await done(client, "GET", "/wallets");
  const [{ eventId: evt }] = await done(client, "GET", `/events?cardId=${otherCard}`);
  const reference = newReference();
  await client.get("/wallets", { reference });
  return { cus, card, otherCard, txn, kyc, whe, wal, evt, reference };
}

/** Every row that belongs to an organization, once nothing happens to them any more. */
async function settledSnapshot(organization: Organization): Promise<string> {
  let last = "";
  await until("nothing happens any more", async () => {
    const now = await snapshot(organization);
    const isSettled = now === last;
    last = now;
    return isSettled && !now.includes('"position":null');
  });
  return last;
}

async function snapshot({ organizationId, clientId }: Organization): Promise<string> {
  const { rows: tables } = await pool.query<{ table: string; key: string }>(
    `select c.table_name as table, c.column_name as key
       from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE'
        -- What was asked lately is noted a moment later, and a job goes through all holds at times of its own.
        and table_name not in ('api_requests', 'hold_sweeps')
        and (column_name = 'organization_id'
             or column_name = 'client_id' and table_name = 'request_references')
      order by 1`,
  );
  const contents = [];
  for (const { table, key } of tables) {
    const { rows } = await pool.query(
      `select to_json(t)::text as row from ${table} t where ${key} = $1 order by 1`,
      [key === "client_id" ? clientId : organizationId],
    );
    contents.push([table, ...rows.map(({ row }) => row)].join("\n"));
  }
  return contents.join("\n");
}

/** A valid name of the kind that nobody has. */
const nobodys = (kind: string): string =>
  kind === "reference" ? newReference() : newId(kind as IdPrefix, Date.now());

/** Routes whose example needs more than ids to get as far as looking them up. */
const bodies: Record<string, (slot: Slot) => object> = {
  "POST /cards/reissue": ({ name }) =>
    name === "cardId" ? { sharedBalance: true, cardId: "" } : { sharedBalance: false },
};

/** A request in which one name is given, and all others are the caller's own. */
function requestFor(operation: ApiOperation, slot: Slot, name: string, own: Belongings) {
  const nameOf = (each: Slot): string => {
    if (each.in === slot.in && each.name === slot.name) return name;
    // Two cards in one request are two cards.
    const isSecond = each.kind === "card" && slot.kind === "card";
    return (isSecond ? own.otherCard : own[each.kind]) ?? `no ${each.kind}`;
  };
  let path = operation.path;
  const base = bodies[operation.route]?.(slot) ?? operation.body;
  const body = base === undefined ? undefined : structuredClone(base as Record<string, unknown>);
  for (const each of operation.slots) {
    if (each.in === "path") path = path.replace(`{${each.name}}`, encodeURIComponent(nameOf(each)));
    else if (each === slot && each.in === "query") path += `?${each.name}=${nameOf(each)}`;
    else if (each.in === "body" && body !== undefined) {
      const isWanted = each === slot || each.name in body || each.name === "customerId";
      if (isWanted) body[each.name] = nameOf(each);
    }
  }
  return { path, body };
}

const ID = /\b[a-z]{3,4}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;

/** What an answer tells of the first organization. */
const leaked = ({ text }: Answer): string[] =>
  (text.match(ID) ?? []).filter((id) => idsOfOurs.has(id));

test("another's things are answered like things that do not exist, on every route that names one", async () => {
  expect(operations.flatMap(({ slots }) => slots).length).toBeGreaterThan(40);
  for (const operation of operations) {
    for (const slot of operation.slots) {
      // What is changed is changed for good, so that every place gets things of its own.
      const own = await acquire(theirs);
      await compare(operation, slot, own);
      // There may not be many of these.
      await ask(theirs.client, "DELETE", `/webhook-endpoints/${own.whe}`);
    }
  }
}, 240_000);

async function compare(operation: ApiOperation, slot: Slot, own: Belongings): Promise<void> {
  const { method, route } = operation;
  const where = `${route} (${slot.in} ${slot.name})`;
  const [ourName, ownName] = [belongings[slot.kind], own[slot.kind]];
  if (ourName === undefined || ownName === undefined) {
    throw new Error(`${where}: nobody here has a ${slot.kind}.`);
  }
  for (const accept of method === "GET" ? ["application/json", "text/csv"] : ["*/*"]) {
    const send = async (name: string): Promise<Answer> => {
      const { path, body } = requestFor(operation, slot, name, own);
      const answer = await ask(theirs.client, method, path, { body, accept });
      return { ...answer, text: answer.text.replaceAll(name, "…") };
    };
    const toNobodys = await send(nobodys(slot.kind));
    const toOurs = await send(ourName);
    expect.soft(toOurs, where).toEqual(toNobodys);
    expect.soft(leaked(toOurs), where).toEqual([]);
    // Were these alike too, nothing would have been looked up.
    expect.soft((await send(ownName)).text, `${where}, its own`).not.toEqual(toNobodys.text);
  }
}

/** What a sandbox has for all who use it. */
const shared = ["POST /simulator/clock/advance", "POST /simulator/faults"];

test("another's things are not in what names nothing: lists, settings, answers to new things", async () => {
  await acquire(theirs);
  const nameless = operations.filter(
    ({ slots, route }) => slots.length === 0 && !shared.includes(route),
  );
  for (const { method, path, body, route, query } of [...nameless, ...lists()]) {
    const sent = route === "POST /webhook-endpoints" ? hook : body;
    const isList = query.includes("cursor");
    let next: string | null | undefined;
    do {
      const page = isList ? `?limit=100${next ? `&cursor=${next}` : ""}` : "";
      const answer = await ask(theirs.client, method, path + page, { body: sent });
      expect.soft({ route, status: answer.status }).toEqual({ route, status: 200 });
      expect.soft(leaked(answer), route).toEqual([]);
      if (!next) expect.soft(answer.text, route).not.toContain('"data":[]');
      next = JSON.parse(answer.text).pagination?.nextCursor;
    } while (next);
  }
});

/** Operations that name something only if asked to. */
const lists = (): ApiOperation[] =>
  operations.filter(({ slots, method }) => {
    return method === "GET" && slots.length > 0 && slots.every((slot) => slot.in === "query");
  });

test("through all of that nothing of the other organization has changed", async () => {
  expect(before.length).toBeGreaterThan(10_000);
  expect(await settledSnapshot(ours)).toBe(before);
});

test("another's message of the network is another message", async () => {
  const networkReference = newReference();
  const buyAs = async ({ client }: Organization, cardId: string | undefined, path: string) =>
    done(client, "POST", `/simulator/${path}`, { cardId, amount: 1, networkReference });
  // Among what the test before has sent is the sample of these settings, which lets an organization decide for itself.
  await done(theirs.client, "PUT", "/settings/card-authorization", { model: "ServiceManaged" });
  const own = await acquire(theirs);
  for (const path of ["authorizations", "settlements", "refunds"]) {
    const our = await buyAs(ours, belongings.otherCard, path);
    const their = await buyAs(theirs, own.card, path);
    expect(their).toMatchObject({ cardId: own.card, networkReference, approved: true });
    expect(their.transactionId).not.toBe(our.transactionId);
  }
});

test("a cursor of another's list leads nowhere but into one's own", async () => {
  for (const { path } of lists()) {
    const mine = await ours.client.get(`${path}?limit=1`);
    const { nextCursor } = mine.body.pagination;
    if (nextCursor === null) continue;
    const answer = await ask(theirs.client, "GET", `${path}?cursor=${nextCursor}`);
    expect.soft(leaked(answer), path).toEqual([]);
  }
});
