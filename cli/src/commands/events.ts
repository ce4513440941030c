import type { Event, EventType, EventWithAttempts } from "@florin/sdk";
import type { Command } from "commander";
import { eventTypes } from "../scenario/recipes.ts";
import { show } from "../session.ts";
import { table } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { run } from "./action.ts";
import { DEFAULT_LIMIT, limitOf, oneOf, pageSize, take } from "./options.ts";
import { eventLine, showList, timeText } from "./present.ts";

interface ListOptions {
  type?: EventType;
  card?: string;
  clientReference?: string;
  from?: string;
  to?: string;
  order?: "asc" | "desc";
  limit: number;
}

export function addEvents(program: Command): void {
  const events = program.command("events").description("List, show and resend events");
  const list = events
    .command("list")
    .description("List events, newest first unless told otherwise")
    .option("--type <type>", "such as transaction.declined", oneOf(...eventTypes))
    .option("--card <cardId>")
    .option("--client-reference <text>")
    .option("--from <time>", "such as 2026-01-31 or 2026-01-31T12:00:00Z")
    .option("--to <time>")
    .option("--order <order>", "asc, the oldest first, or desc", oneOf("asc", "desc"))
    .option("--limit <count>", "at most so many", limitOf, DEFAULT_LIMIT);
  run<ListOptions>(list, async (session, _args, options) => {
    const { type, card: cardId, clientReference, from, to, order, limit } = options;
    const query = { type, cardId, clientReference, from, to, order, limit: pageSize(limit) };
    const found = await take<Event>(session.florin.events.list(query), limit);
    const lines = (data: Event[]): string =>
      data.map((event) => eventLine(session.terminal, event)).join("\n");
    showList(session, found, (data) => lines(data) || "There are no such events.");
  });
  const one = events
    .command("show")
    .argument("<eventId>")
    .description("Show an event and its deliveries");
  run(one, async (session, [eventId = ""]) => {
    show(session, await session.florin.events.get(eventId), (event) =>
      withAttempts(session.terminal, event),
    );
  });
  const resend = events
    .command("resend")
    .argument("<eventId>")
    .description("Send an event again to every endpoint that wants it");
  run(resend, async (session, [eventId = ""]) => {
    show(session, await session.florin.events.resend(eventId), (event) =>
      withAttempts(session.terminal, event),
    );
  });
}

function withAttempts(terminal: Terminal, event: EventWithAttempts): string {
  const { attempts, deliveries } = event;
  const parts = [eventLine(terminal, event), JSON.stringify(event.data, null, 2)];
  if (deliveries.length === 0) parts.push("No deliveries so far.");
  for (const { webhookEndpointId, status, nextAttemptAt } of deliveries) {
    parts.push(
      `${webhookEndpointId}  ${status}${nextAttemptAt === undefined ? "" : `, next try ${timeText(nextAttemptAt)}`}`,
    );
  }
  if (attempts.length > 0) {
    parts.push(
      table(
        terminal,
        [
          { head: "attempt at", cell: ({ at }) => timeText(at) },
          { head: "endpoint", cell: ({ webhookEndpointId }) => webhookEndpointId },
          { head: "answer", cell: ({ httpStatus, error }) => error ?? String(httpStatus) },
          { head: "ms", align: "right", cell: ({ durationMs }) => durationMs.toFixed(0) },
        ],
        attempts,
      ),
    );
  }
  return parts.join("\n\n");
}
