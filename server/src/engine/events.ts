import type pg from "pg";
import { copyInto, json } from "../db/copy.ts";
import type { Statement } from "../db/lane.ts";
import { sendOn } from "../db/trip.ts";
import { groupBy } from "../foundation/group-by.ts";
import { newId } from "../foundation/ids.ts";
import type { EventDraft } from "./operation.ts";

export interface Event extends EventDraft {
  organizationId: string;
}

interface EventRow extends Event {
  eventId: string;
  createdAt: Date;
}

const copyEvents = copyInto<EventRow>("events", {
  organization_id: (e) => e.organizationId,
  event_id: (e) => e.eventId,
  event_type: (e) => e.eventType,
  card_id: (e) => e.cardId,
  sequence: (e) => e.sequence,
  client_reference: (e) => e.clientReference,
  data: (e) => json(e.data),
  begins: (e) => e.begins,
  created_at: (e) => e.createdAt,
});

interface LogEntry {
  organizationId: string;
  eventIds: string[];
}

const copyLog = copyInto<LogEntry>("event_log", {
  organization_id: (entry) => entry.organizationId,
  event_ids: (entry) => entry.eventIds.join(" "),
  events: (entry) => entry.eventIds.length,
});

/** Writes events in a transaction that is not the engine's. */
export async function tellEvents(
  tx: pg.PoolClient,
  events: Event[],
  createdAt: Date,
): Promise<void> {
  await sendOn(tx, insertEvents(events, createdAt));
}

/** Writes events, and for each organization a note of them in the log from which they are told. */
export function insertEvents(events: Event[], createdAt: Date): Statement[] {
  // Sorted, so that a list by id has the events of one commit in the order in which they happened.
  const ids = events.map(() => newId("evt", createdAt.getTime())).sort();
  const rows = events.map((event, index) => ({ ...event, eventId: ids[index] ?? "", createdAt }));
  const entries = [...groupBy(rows, (row) => row.organizationId)];
  return [
    copyEvents(rows),
    copyLog(
      entries.map(([organizationId, noted]) => ({
        organizationId,
        eventIds: noted.map(({ eventId }) => eventId),
      })),
    ),
  ];
}
