import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenApiDocument } from "../src/docs/site/document.ts";
import { exampleOf } from "../src/docs/site/example.ts";
import { type Operation, sectionsOf } from "../src/docs/site/reference.ts";
import { readJson } from "./harness/answers.ts";
import { type ApiAnswer, newReference } from "./harness/api-client.ts";
import { answersAsRecorded } from "./harness/recorded.ts";
import { startTestService, type TestService } from "./harness/service.ts";

/** Real answers, which the reference shows: `npx vitest run recorded-answers -u` records them anew. */
const RECORDED = "../src/docs/answers.json";

const URL_SHOWN = "https://hooks.example.com/florin";

type Ids = Readonly<Record<string, string>>;
type Data = ApiAnswer["body"];

let service: TestService;
let receiver: Server;
let status = 200;
let patience: Promise<void> = Promise.resolve();
let document: OpenApiDocument;
let operations: Operation[];
const answers: Record<string, unknown> = {};

beforeAll(async () => {
  service = await startTestService();
  document = await readJson(`${service.sandbox.apiUrl}/openapi.json`);
  operations = sectionsOf(document).flatMap((section) => section.operations);
  receiver = createServer(async (request, response) => {
    request.resume();
    await patience;
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await service.stop();
});

/** Sends what the reference shows, with these ids in the places of its own, and keeps the answer. */
async function play(route: string, ids: Ids = {}, body?: unknown): Promise<Data> {
  const [method = "", template = ""] = route.split(" ");
  const operation = operations.find(
    ({ method: its, path }) => its === method && path === `/api/v1${template}`,
  );
  if (operation === undefined) throw new Error(`There is no operation ${route}.`);
  const shown = operation.body && exampleOf(document, operation.body, "sendable");
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "");
  const sent = body ?? withIds(shown, ids);
  const answer = await service.client.call(method, path, sent === undefined ? {} : { body: sent });
  expect(answer.body, route).toMatchObject({ responseCode: "000" });
  const { operationId = "" } = document.paths?.[operation.path]?.[method.toLowerCase()] ?? {};
  answers[operationId] = answer.body.data;
  return answer.body.data;
}

function withIds(body: unknown, ids: Ids): unknown {
  if (typeof body !== "object" || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, ids[name] ?? value]),
  );
}

async function verify(): Promise<{ customerId: string; businessId: string }> {
  const person = await play("POST /kyc/individual");
  await play("GET /kyc/{kycToken}", person);
  await play("GET /customers/{customerId}", person);
  await play("GET /customers");
  const { kycToken } = await play("POST /kyc/business");
  const business = await play("POST /simulator/kyc/{kycToken}", { kycToken });
  return { customerId: person.customerId, businessId: business.customerId };
}

async function issue({ customerId, businessId }: Record<string, string>): Promise<Ids[]> {
  await play("POST /cards/corporate", { customerId: businessId ?? "" });
  await play("POST /cards/lite", { customerId: customerId ?? "" });
  const other = await play("POST /cards/reissue", { customerId: customerId ?? "" });
  const card = await play("POST /cards/retail", { customerId: customerId ?? "" });
  await play("GET /cards/{cardId}", card);
  await play("GET /cards/{cardId}/secure", card);
  await play("PATCH /cards/{cardId}", card);
  answers.listCards = (await service.client.get("/cards?limit=1")).body.data;
  return [{ cardId: card.cardId }, { cardId: other.cardId }];
}

async function fund({ cardId = "" }: Ids, { cardId: otherId = "" }: Ids): Promise<void> {
  await play("POST /cards/{cardId}/top-up", { cardId });
  await play("POST /cards/{cardId}/withdraw", { cardId });
  await play("POST /cards/transfers", { sourceCardId: otherId, beneficiaryCardId: cardId });
  await play("POST /cards/{cardId}/freeze", { cardId });
  await play("POST /cards/{cardId}/unfreeze", { cardId });
  const lists = [
    "blacklist",
    "one-time-unblock",
    "blacklist/remove",
    "whitelist",
    "whitelist/remove",
  ];
  for (const list of lists) await play(`POST /cards/{cardId}/merchants/${list}`, { cardId });
}

async function buy({ cardId = "" }: Ids): Promise<void> {
  const { client } = service;
  await play("POST /authorizations/dry-run", { cardId });
  const { transactionId } = await play("POST /simulator/authorizations", { cardId });
  await play("GET /transactions/{transactionId}", { transactionId });
  await play("POST /simulator/transactions/{transactionId}/settle", { transactionId });
  await play("POST /simulator/transactions/{transactionId}/refund", { transactionId });
  const { body } = await client.post("/simulator/authorizations", { cardId, amount: 25.5 });
  answers.listTransactions = (await client.get("/transactions?limit=1")).body.data;
  await play("POST /simulator/transactions/{transactionId}/reverse", body.data);
  await play("POST /simulator/settlements", { cardId });
  await play("POST /simulator/refunds", { cardId });
}

/** A purchase abroad that leaves nothing for its charge, and a card that is closed in debt. */
async function owe({ cardId = "" }: Ids): Promise<void> {
  const { client } = service;
  const merchant = { mid: "SHOP0002", mcc: "5411", name: "Boutique", city: "Paris", country: "FR" };
  await client.post(`/cards/${cardId}/top-up`, { amount: 25.5 });
  await client.post("/simulator/settlements", { cardId, amount: 25.5, merchant });
  await play("GET /cards/{cardId}/cross-border-charges", { cardId });
  await client.post(`/cards/${cardId}/top-up`, { amount: 10 });
  await play("POST /cards/{cardId}/cross-border-charges/reprocess", { cardId });
  await play("POST /cards/{cardId}/terminate", { cardId });
  await client.post("/simulator/settlements", { cardId, amount: 25.5 });
  await play("POST /cards/{cardId}/regularize", { cardId });
}

async function hear({ cardId = "" }: Ids): Promise<void> {
  const { client } = service;
  const { webhookEndpointId } = await play("POST /webhook-endpoints");
  const ids = { webhookEndpointId };
  await play("PATCH /webhook-endpoints/{webhookEndpointId}", ids);
  await play("GET /webhook-endpoints/{webhookEndpointId}", ids);
  await play("GET /webhook-endpoints");
  await play("POST /webhook-endpoints/{webhookEndpointId}/rotate-secret", ids);
  await play("POST /webhook-endpoints/{webhookEndpointId}/recover", ids);
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const here = { url, eventTypes: ["transaction.authorized"] };
  await client.call("PATCH", `/webhook-endpoints/${webhookEndpointId}`, { body: here });
  await play("POST /webhook-endpoints/{webhookEndpointId}/test", ids);
  status = 503;
  await client.post("/simulator/authorizations", { cardId, amount: 25.5 });
  const { body } = await client.get("/events?type=transaction.authorized&limit=1");
  answers.listEvents = body.data;
  const [{ eventId }] = body.data;
  await expect
    .poll(async () => (await play("GET /events/{eventId}", { eventId })).attempts)
    .toHaveLength(1);
  status = 200;
  // The answer must not depend on which of the two is faster.
  let goOn = (): void => {};
  patience = new Promise((resolve) => {
    goOn = resolve;
  });
  await play("POST /events/{eventId}/resend", { eventId });
  goOn();
  await play("PATCH /webhook-endpoints/{webhookEndpointId}", ids, { url: URL_SHOWN });
  await play("PATCH /webhook-endpoints/{webhookEndpointId}", ids);
  await play("DELETE /webhook-endpoints/{webhookEndpointId}", ids);
}

test("what the reference shows is what the service answers to what it shows", async () => {
  const { client } = service;
  await play("GET /programmes");
  const [card = {}, other = {}] = await issue(await verify());
  await fund(card, other);
  await buy(card);
  await hear(card);
  await owe(other);
  await play("POST /simulator/wallets/deposits");
  await play("GET /wallets");
  const [{ walletId }] = answers.listWallets as Data;
  await play("GET /wallets/{walletId}/entries", { walletId });
  answers.listWalletEntries = (answers.listWalletEntries as Data).slice(0, 1);
  await play("PUT /settings/card-authorization");
  await play("GET /settings/card-authorization");
  await play("POST /simulator/faults");
  await play("POST /simulator/faults", {}, { fault: "None" });
  await play("POST /simulator/faults");
  await play("POST /simulator/clock/advance");
  client.forgetToken();
  const reference = newReference();
  await client.post(`/cards/${card.cardId}/top-up`, { amount: 25.5 }, { reference });
  await play("GET /requests/{reference}", { reference });

  const known = Object.values(document.paths ?? {}).flatMap((methods) =>
    Object.values(methods).map(({ operationId = "" }) => operationId),
  );
  expect(Object.keys(answers).sort()).toEqual(known.sort());
  const text = `${JSON.stringify(answersAsRecorded(answers), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(RECORDED);
});
