import type pg from "pg";
import { numberArray, textArray } from "../db/arrays.ts";
import { copyInto, json } from "../db/copy.ts";
import type { Statement } from "../db/lane.ts";
import { sendOn } from "../db/trip.ts";
import { groupBy } from "../foundation/group-by.ts";
import { newId } from "../foundation/ids.ts";
import type { EventDraft } from "./operation.ts";

export interface Event extends EventDraft {
  organizationId: string;
}

interface EventRow {
  event: Event;
  eventId: string;
  createdAt: Date;
}

const copyEvents = copyInto<EventRow>("events", {
  organization_id: ({ event }) => event.organizationId,
  event_id: (row) => row.eventId,
  event_type: ({ event }) => event.eventType,
  card_id: ({ event }) => event.cardId,
  sequence: ({ event }) => event.sequence,
  client_reference: ({ event }) => event.clientReference,
  data: ({ event }) => json(event.data),
  begins: ({ event }) => event.opensTransactionId,
  created_at: (row) => row.createdAt,
});

interface LogEntry {
  organizationId: string;
  eventIds: string[];
}

/** As a rule a single row, for which a COPY costs more than it saves: the server answers each one at once. */
const insertLog = (entries: LogEntry[]): Statement => ({
  name: "event_log_insert",
  text: `
    insert into event_log (organization_id, event_ids, events)
    select * from unnest($1::text[], $2::text[], $3::int[])`,
  values: [
    textArray(entries.map((entry) => entry.organizationId)),
    textArray(entries.map((entry) => entry.eventIds.join(" "))),
    numberArray(entries.map((entry) => entry.eventIds.length)),
  ],
});

/** Writes events in a transaction that is not the engine's. */
export async function tellEvents(
  tx: pg.PoolClient,
  events: Event[],
  createdAt: Date,
): Promise<void> {
  await sendOn(tx, insertEvents(events, createdAt));
}

/** Writes events, and for each organization one row of event_log with their ids: see decision 9. */
export function insertEvents(events: Event[], createdAt: Date): Statement[] {
  // Sorted, so that a list by id has the events of one commit in the order in which they happened.
  const ids = events.map(() => newId("evt", createdAt.getTime())).sort();
  const rows = events.map((event, index) => ({ event, eventId: ids[index] ?? "", createdAt }));
  const entries = [...groupBy(rows, ({ event }) => event.organizationId)];
  return [
    copyEvents(rows),
    insertLog(
      entries.map(([organizationId, noted]) => ({
        organizationId,
        eventIds: noted.map(({ eventId }) => eventId),
      })),
    ),
  ];
}
