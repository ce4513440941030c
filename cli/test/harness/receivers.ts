import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type Received, verify } from "../../../server/test/harness/receiver.ts";

/** A program of a client's: small, and right or wrong on purpose. */
export interface ClientProgram {
  url: string;
  stop(): void;
}

interface KnownCard {
  status: string;
  sequence: number;
  events: number;
}

/** A receiver of webhooks as the guide wants it: verified, once per event, by sequence. */
export const goodReceiver = (secret: string): Promise<ClientProgram> =>
  receiver(secret, (cards, seen, { eventId, sequence, data }) => {
    if (seen.has(eventId)) return;
    seen.add(eventId);
    const card = cards.get(data.cardId) ?? { status: "", sequence: 0, events: 0 };
    const isNewer = sequence > card.sequence;
    cards.set(data.cardId, {
      status: isNewer ? data.status : card.status,
      sequence: Math.max(sequence, card.sequence),
      events: card.events + 1,
    });
  });

/** One that acts on every copy, and takes the last that arrived for the truth. */
export const carelessReceiver = (secret: string): Promise<ClientProgram> =>
  receiver(secret, (cards, _seen, { sequence, data }) => {
    const events = (cards.get(data.cardId)?.events ?? 0) + 1;
    cards.set(data.cardId, { status: data.status, sequence, events });
  });

/** One that takes only what it expects, and breaks when something is not. */
export function fussyReceiver(secret: string): Promise<ClientProgram> {
  const seen = new Set<string>();
  return listen(async (request, response) => {
    const event = (await verified(request, secret)) as (Told & { eventType: string }) | undefined;
    if (event === undefined) throw new Error("Whoever that was.");
    const isExpected =
      !String(request.headers["webhook-signature"]).includes(" ") &&
      event.eventType !== "card.added_later" &&
      !seen.has(event.eventId);
    seen.add(event.eventId);
    response.writeHead(isExpected ? 204 : 409).end();
  });
}

/** One that believes everybody. */
export const gullibleReceiver = (): Promise<ClientProgram> =>
  listen(async (_request, response) => response.end());

interface Told {
  eventId: string;
  sequence: number;
  data: { cardId: string; status: string };
}

function receiver(
  secret: string,
  apply: (cards: Map<string, KnownCard>, seen: Set<string>, event: Told) => void,
): Promise<ClientProgram> {
  const cards = new Map<string, KnownCard>();
  const seen = new Set<string>();
  return listen(async (request, response) => {
    if (request.method === "GET") {
      const known = request.url === "/" ? totalOf(cards) : cards.get(request.url?.slice(1) ?? "");
      response.writeHead(known === undefined ? 404 : 200).end(JSON.stringify(known ?? {}));
      return;
    }
    const event = await verified(request, secret);
    if (event !== undefined) apply(cards, seen, event as Told);
    response.writeHead(event === undefined ? 401 : 204).end();
  });
}

/** All that it has done, without saying for whom. */
function totalOf(cards: Map<string, KnownCard>): { events: number } {
  return { events: [...cards.values()].reduce((sum, { events }) => sum + events, 0) };
}

/** A server that decides purchases: those below 1,000, the same answer for the same question. */
export const goodDecider = (secret: string): Promise<ClientProgram> =>
  listen(async (request, response) => {
    const question = (await verified(request, secret)) as { amount: number } | undefined;
    if (question === undefined) {
      response.writeHead(401).end();
      return;
    }
    response.end(JSON.stringify({ decision: question.amount < 1000 ? "Approve" : "Decline" }));
  });

/** One that is right, and decides purchases later than anybody waits. */
export const slowDecider = (secret: string): Promise<ClientProgram> =>
  listen(async (request, response) => {
    const question = (await verified(request, secret)) as { requestType: string } | undefined;
    if (question?.requestType === "Authorization") await pause(450);
    response
      .writeHead(question === undefined ? 401 : 200)
      .end(JSON.stringify({ decision: "Approve" }));
  });

/** One that changes its mind with every question, and knows no advice. */
export function moodyDecider(secret: string): Promise<ClientProgram> {
  let asked = 0;
  return listen(async (request, response) => {
    const question = (await verified(request, secret)) as { requestType: string } | undefined;
    const isQuestion = question?.requestType.endsWith("uthorization") === true;
    asked += 1;
    response.writeHead(question === undefined ? 401 : isQuestion ? 200 : 404);
    response.end(JSON.stringify({ decision: asked % 2 === 0 ? "Approve" : "Decline" }));
  });
}

async function verified(request: IncomingMessage, secret: string): Promise<unknown> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  const message: Received = { path: "", headers: request.headers, text, body: undefined };
  try {
    return verify(message, secret);
  } catch {
    return undefined;
  }
}

async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>,
): Promise<ClientProgram> {
  const server: Server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
