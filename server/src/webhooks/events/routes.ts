import { readRange } from "../../foundation/dates.ts";
import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { describe } from "../../http/openapi.ts";
import { writeCursor } from "../../http/pagination.ts";
import { NoBody } from "../endpoints/wire.ts";
import { type EventDeps, readEvent, readEvents, resend } from "./service.ts";
import {
  EventPath,
  EventsQuery,
  EventView,
  EventWithAttemptsView,
  eventOf,
  eventWithAttemptsOf,
} from "./wire.ts";

const ListEvents = describe({
  operationId: "listEvents",
  tag: "Events",
  summary: "List events",
  description:
    "Newest first; or, with `order=asc`, as a feed for clients that would rather fetch than be called. A page " +
    "of a search may have fewer events than asked for, or none: read on while there is a nextCursor, in the " +
    "feed until it is the cursor that was sent.",
  querystring: EventsQuery,
  data: EventView.array(),
  paged: true,
});

const ReadEvent = describe({
  operationId: "readEvent",
  tag: "Events",
  summary: "Read an event",
  description: "One event, with the attempts at delivering it.",
  params: EventPath,
  data: EventWithAttemptsView,
});

const ResendEvent = describe({
  operationId: "resendEvent",
  tag: "Events",
  summary: "Send an event again",
  description:
    "To every endpoint that is enabled and wants its type, whether or not it has acknowledged the event " +
    "before, and with all attempts anew.",
  params: EventPath,
  body: NoBody,
  data: EventWithAttemptsView,
});

export function eventRoutes(api: App, deps: EventDeps): void {
  api.get("/events", { schema: ListEvents }, async ({ caller, query }) => {
    const { from, to, ...rest } = query;
    const range = readRange({ from, to });
    const { rows, nextKey } = await readEvents(deps, caller.organizationId, { ...rest, range });
    const nextCursor = nextKey === undefined ? null : writeCursor(nextKey);
    return ok(rows.map(eventOf), { pagination: { limit: query.limit, nextCursor } });
  });

  api.get("/events/:eventId", { schema: ReadEvent }, async ({ caller, params }) =>
    ok(eventWithAttemptsOf(await readEvent(deps, caller.organizationId, params.eventId))),
  );

  api.post("/events/:eventId/resend", { schema: ResendEvent }, async ({ caller, params }) =>
    ok(eventWithAttemptsOf(await resend(deps, caller, params.eventId))),
  );
}
