import { jsonList, numberArray, textArray } from "../db/arrays.ts";
import type { Statement } from "../db/lane.ts";
import { newId } from "../foundation/ids.ts";
import type { EventDraft } from "./operation.ts";

export interface Event extends EventDraft {
  organizationId: string;
}

export function insertEvents(events: Event[], now: Date): Statement {
  const nowMs = now.getTime();
  return {
    name: "events_insert",
    text: `
      insert into events (organization_id, event_id, event_type, card_id, sequence, client_reference, data, created_at)
      select k.*, $8 from rows from (
        unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[]),
        json_array_elements($7::json)) as k`,
    values: [
      textArray(events.map((e) => e.organizationId)),
      textArray(events.map(() => newId("evt", nowMs))),
      textArray(events.map((e) => e.eventType)),
      textArray(events.map((e) => e.cardId ?? null)),
      numberArray(events.map((e) => e.sequence ?? null)),
      textArray(events.map((e) => e.clientReference ?? null)),
      jsonList(events.map((e) => e.data)),
      now,
    ],
  };
}
