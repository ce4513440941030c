import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type AuthorizationAdvice,
  type AuthorizationHandler,
  type AuthorizationHandlerOptions,
  type AuthorizationRequest,
  authorizationHandler,
  type Card,
  Florin,
} from "@florin/sdk";
import { fastify } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { until } from "../../server/test/harness/eventually.ts";
import { startTestService, type TestService } from "../../server/test/harness/service.ts";
import { adaIn } from "./harness/ada.ts";

let service: TestService;
let florin: Florin;
let card: Card;
beforeAll(async () => {
  service = await startTestService();
  florin = new Florin(service.sandbox);
  card = await florin.cards.issueRetail({ customerId: await adaIn(florin) });
});
afterAll(() => service.stop());

let decide: AuthorizationHandlerOptions["decide"];
let asked: AuthorizationRequest[];
let advised: AuthorizationAdvice[];
let errors: unknown[];
beforeEach(() => {
  [asked, advised, errors] = [[], [], []];
  decide = ({ amount }) => ({ decision: amount > 50 ? "Decline" : "Approve" });
});

const handlerWith = (options: Partial<AuthorizationHandlerOptions> = {}): AuthorizationHandler =>
  authorizationHandler({
    secret: service.sandbox.webhookSecret,
    decide: (request, context) => {
      asked.push(request);
      return decide(request, context);
    },
    advise: (advice) => {
      advised.push(advice);
    },
    onError: (error) => errors.push(error),
    ...options,
  });

interface Running {
  url: string;
  stop(): Promise<void>;
}

async function listen(listener: RequestListener): Promise<Running> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/authorizations`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A server of Requests and Responses, as other runtimes have it. */
const serveFetch =
  (handle: (request: Request) => Promise<Response>): RequestListener =>
  async (incoming, outgoing) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const request = new Request(`http://127.0.0.1${incoming.url}`, {
      method: incoming.method ?? "",
      headers: incoming.headers as Record<string, string>,
      body: Buffer.concat(chunks),
    });
    const response = await handle(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(await response.text());
  };

async function serveFastify(handler: AuthorizationHandler): Promise<Running> {
  const app = fastify({ forceCloseConnections: true });
  app.register(handler.toFastify({ path: "/authorizations" }));
  app.post("/other", async ({ body }) => body);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { url: `${url}/authorizations`, stop: () => app.close() };
}

const servers: [string, (handler: AuthorizationHandler) => Promise<Running>][] = [
  ["fetch", (handler) => listen(serveFetch(handler.toFetch()))],
  ["Express", (handler) => listen(handler.toExpress())],
  ["Fastify", serveFastify],
];

const decideAt = (authorizationUrl: string) =>
  florin.settings.setCardAuthorization({
    model: "CustomerManaged",
    authorizationUrl,
    // The opposite of what a handler says by itself, so that nobody can mistake one for the other.
    defaultAuthorizationDecision: "AutoApprove",
  });

const buy = (amount: number) => florin.simulator.authorize({ cardId: card.cardId, amount });

describe.each(servers)("behind %s", (_name, serve) => {
  let running: Running;
  beforeAll(async () => {
    running = await serve(handlerWith({ deadlineMs: 50 }));
    await decideAt(running.url);
  });
  afterAll(() => running.stop());

  test("real questions are answered in time, and what follows is heard", async () => {
    const approved = await buy(20);
    expect(approved).toMatchObject({ approved: true, decision: { model: "CustomerManaged" } });
    expect(approved.decision?.remote).toMatchObject({ timedOut: false, defaultUsed: false });
    expect(await buy(60)).toMatchObject({ approved: false, responseCode: "176" });
    expect(asked).toMatchObject([
      { requestType: "Authorization", transactionId: approved.transactionId, amount: 20 },
      { requestType: "Authorization", amount: 60 },
    ]);
    await florin.simulator.settle(approved.transactionId);
    await until("the settlement is advised", () => advised.length === 1);
    expect(advised).toMatchObject([
      { requestType: "Settlement", transactionId: approved.transactionId },
    ]);
    expect(errors).toEqual([]);
  });

  test("reasons are passed on", async () => {
    decide = () => ({ decision: "Decline", responseCode: "301", metadata: { rule: "velocity" } });
    const declined = await buy(1);
    expect(declined).toMatchObject({ approved: false, responseCode: "301" });
    expect(declined.decision?.remote).toMatchObject({ metadata: { rule: "velocity" } });
  });

  test("who decides too slowly is told so, and declines in time", async () => {
    let told: unknown;
    decide = (_request, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          told = signal.reason;
          reject(signal.reason);
        });
      });
    const declined = await buy(1);
    expect(declined).toMatchObject({ approved: false, responseCode: "176" });
    expect(declined.decision?.remote).toMatchObject({ defaultUsed: false });
    expect(told).toBeInstanceOf(Error);
  });

  test("who fails to decide declines", async () => {
    decide = () => {
      throw new Error("The database is down.");
    };
    expect(await buy(1)).toMatchObject({ approved: false, responseCode: "176" });
    expect(errors).toMatchObject([{ message: "The database is down." }]);
  });

  test("strangers are sent away", async () => {
    const answer = await fetch(running.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ requestType: "Authorization" }),
    });
    expect(answer.status).toBe(401);
    expect(asked).toEqual([]);
  });

  test("what is too large is not read", async () => {
    const answer = await fetch(running.url, { method: "POST", body: "x".repeat(100_000) });
    expect(answer.status).toBe(413);
  });
});
