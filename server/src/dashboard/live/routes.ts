import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../../http/app.ts";
import type { EventRow } from "../../webhooks/events/store.ts";
import { sessionFrom } from "../access/guard.ts";
import { type SessionDeps, sessionOf } from "../sessions/service.ts";
import type { Listener, LiveFeed } from "./live-feed.ts";

const HEARTBEAT_MS = 15_000;
/** A browser that does not read is let go; it comes again by itself. */
const MAX_WAITING_BYTES = 256 * 1024;

const PlaceHeader = z.string().regex(/^\d{1,18}$/);

export function liveRoutes(app: App, deps: SessionDeps & { live: LiveFeed }): void {
  app.get("/live", { config: { access: "Person" } }, async (request, reply) => {
    const { organizationId, personId } = sessionFrom(request);
    const after = PlaceHeader.safeParse(request.headers["last-event-id"]);
    const { raw } = reply;
    const waiting: string[] = [];
    let write = (text: string): void => void waiting.push(text);
    const listener: Listener = {
      personId,
      tell: (event, position) => write(messageOf(event, position)),
      end: () => raw.end(),
    };
    const leave = await deps.live.listen(
      organizationId,
      listener,
      after.success ? BigInt(after.data) : undefined,
    );
    reply.hijack();
    raw.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      "content-type": "text/event-stream; charset=utf-8",
      "x-accel-buffering": "no",
    });
    raw.write(`: listening\n\n${waiting.splice(0).join("")}`);
    write = (text) => send(raw, text);
    // A session that has ended meanwhile hears no more.
    const check = async (): Promise<void> => {
      if (await isStillIn(deps, request, personId)) return send(raw, ": still here\n\n");
      end();
      raw.end();
    };
    const leaveStreams = deps.streams.join(personId, check);
    // When a session ends in another process, nobody tells this one.
    const heartbeat = setInterval(check, HEARTBEAT_MS);
    const end = (): void => {
      clearInterval(heartbeat);
      leaveStreams();
      leave();
    };
    raw.once("close", end);
    if (raw.destroyed) end();
    // It may have ended before there was anything to close.
    else await check();
  });
}

async function isStillIn(
  deps: SessionDeps,
  request: FastifyRequest,
  personId: string,
): Promise<boolean> {
  const session = await sessionOf(deps, request).catch(() => undefined);
  return session?.personId === personId && session.isEnabled;
}

function send(response: ServerResponse, text: string): void {
  if (response.writableEnded) return;
  if (response.writableLength > MAX_WAITING_BYTES) response.destroy();
  else response.write(text);
}

function messageOf({ eventId, eventType, createdAt, data }: EventRow, position: bigint): string {
  const { cardId, transactionId } = data;
  const content = {
    eventId,
    type: eventType,
    ...(typeof cardId === "string" ? { cardId } : {}),
    ...(typeof transactionId === "string" ? { transactionId } : {}),
    at: createdAt.toISOString(),
  };
  return `id: ${position}\nevent: ${eventType}\ndata: ${JSON.stringify(content)}\n\n`;
}
