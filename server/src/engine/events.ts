import { jsonList, numberArray, textArray } from "../db/arrays.ts";
import type { Statement } from "../db/lane.ts";
import { groupBy } from "../foundation/group-by.ts";
import { newId } from "../foundation/ids.ts";
import type { EventDraft } from "./operation.ts";

export interface Event extends EventDraft {
  organizationId: string;
}

/** Writes events, and for each organization a note of them in the log from which they are told. */
export function insertEvents(events: Event[], now: Date): Statement {
  const nowMs = now.getTime();
  // Sorted, so that a list by id has the events of one commit in the order in which they happened.
  const ids = events.map(() => newId("evt", nowMs)).sort();
  const logged = groupBy(ids.keys(), (index) => events[index]?.organizationId ?? "");
  const entries = [...logged.values()];
  return {
    name: "events_insert",
    text: `
      with logged as (
        insert into event_log (organization_id, event_ids, events)
        select * from unnest($9::text[], $10::text[], $11::int[]))
      insert into events (organization_id, event_id, event_type, card_id, sequence, client_reference, data, created_at)
      select k.*, $8 from rows from (
        unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[]),
        json_array_elements($7::json)) as k`,
    values: [
      textArray(events.map((e) => e.organizationId)),
      textArray(ids),
      textArray(events.map((e) => e.eventType)),
      textArray(events.map((e) => e.cardId ?? null)),
      numberArray(events.map((e) => e.sequence ?? null)),
      textArray(events.map((e) => e.clientReference ?? null)),
      jsonList(events.map((e) => e.data)),
      now,
      textArray([...logged.keys()]),
      textArray(entries.map((entry) => entry.map((index) => ids[index]).join(" "))),
      numberArray(entries.map((entry) => entry.length)),
    ],
  };
}
