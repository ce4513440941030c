import type { Event, EventWithAttempts, ListEventsQuery } from "../generated/openapi.ts";
import type { List } from "../list.ts";
import type { CallOptions } from "../options.ts";
import { type ReadOptions, Resource } from "./resource.ts";

/** What happened. */
export class Events extends Resource {
  /** Newest first; with `order: "asc"` a feed, whose `nextCursor` leads on once more has happened. */
  list(query?: ListEventsQuery, options?: ReadOptions): List<Event> {
    return this.listing("listEvents", { query }, options);
  }

  /** An event and what became of its deliveries. */
  get(eventId: string, options?: ReadOptions): Promise<EventWithAttempts> {
    return this.call("readEvent", { params: { eventId } }, options);
  }

  /** Sends it again to every endpoint that wants it. */
  resend(eventId: string, options?: CallOptions): Promise<EventWithAttempts> {
    return this.call("resendEvent", { params: { eventId } }, options);
  }
}
