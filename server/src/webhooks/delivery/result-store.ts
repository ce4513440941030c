import { numberArray, textArray, timeArray } from "../../db/arrays.ts";
import type { Statement } from "../../db/lane.ts";
import type { AttemptResult } from "./attempt-result.ts";
import { type EndpointKey, TO_BE_SENT_ANEW } from "./delivery.ts";

/** Everything that a batch of attempts changes, to be run in one transaction. */
export function recordAttempts(results: readonly AttemptResult[], now: Date): Statement[] {
  const acknowledged = results.filter(({ isAcknowledged }) => isAcknowledged);
  const failed = results.filter(({ isAcknowledged }) => !isAcknowledged);
  const healthy = endpointsOf(acknowledged);
  const failing = [...endpointsOf(failed)].filter(([id]) => !healthy.has(id)).map(([, key]) => key);
  return [
    insertAttempts(results),
    ...(acknowledged.length > 0
      ? [deleteAcknowledged(acknowledged), heal([...healthy.values()])]
      : []),
    ...(failed.length > 0 ? [postpone(failed)] : []),
    ...(failing.length > 0 ? [markFailing(failing, now)] : []),
  ];
}

function endpointsOf(results: readonly AttemptResult[]): Map<string, EndpointKey> {
  return new Map(results.map((result) => [result.webhookEndpointId, result]));
}

/** In one order everywhere, so that two processes never wait for each other in a circle. */
function sorted<Key extends EndpointKey>(keys: readonly Key[]): Key[] {
  return [...keys].sort((a, b) => (a.webhookEndpointId < b.webhookEndpointId ? -1 : 1));
}

const endpointColumns = (keys: readonly EndpointKey[]): [string, string] => [
  textArray(keys.map((key) => key.organizationId)),
  textArray(keys.map((key) => key.webhookEndpointId)),
];

const deliveryColumns = (
  keys: readonly (EndpointKey & { eventId: string })[],
): [string, string, string] => [
  ...endpointColumns(keys),
  textArray(keys.map((key) => key.eventId)),
];

function insertAttempts(results: readonly AttemptResult[]): Statement {
  return {
    name: "webhooks_attempts",
    text: `
      insert into webhook_attempts
        (organization_id, webhook_endpoint_id, event_id, at, http_status, error, duration_ms)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::int2[], $6::text[],
                           $7::int[])`,
    values: [
      ...deliveryColumns(results),
      timeArray(results.map(({ at }) => at)),
      numberArray(results.map(({ httpStatus }) => httpStatus)),
      textArray(results.map(({ error }) => error)),
      numberArray(results.map(({ durationMs }) => Math.round(durationMs))),
    ],
  };
}

/**
 * What has arrived is deleted, whichever worker holds it by now. What somebody wants sent anew since is made anew, free
 * for anybody: in one statement, since a second look for each that is gone would cost as much as the deleting.
 */
function deleteAcknowledged(results: readonly AttemptResult[]): Statement {
  return {
    name: "webhooks_acknowledged",
    text: `
      with gone as (
        delete from webhook_deliveries d
         using unnest($1::text[], $2::text[], $3::text[]) as k(organization_id, webhook_endpoint_id, event_id)
         where d.organization_id = k.organization_id and d.webhook_endpoint_id = k.webhook_endpoint_id
           and d.event_id = k.event_id and (d.attempts <> 0 or d.worker_id is not null)
        returning d.organization_id, d.webhook_endpoint_id, d.event_id, d.due_at, d.attempts)
      insert into webhook_deliveries (organization_id, webhook_endpoint_id, event_id, due_at, attempts)
      select organization_id, webhook_endpoint_id, event_id, due_at, 0
        from gone where attempts = ${TO_BE_SENT_ANEW}`,
    values: deliveryColumns(results),
  };
}

/** A worker that was thought dead must not undo what its successor did since: attempts are counted. */
function postpone(results: readonly AttemptResult[]): Statement {
  return {
    name: "webhooks_postpone",
    text: `
      update webhook_deliveries d
         set attempts = d.attempts + 1, lease_until = null, worker_id = null,
             due_at = case d.attempts when ${TO_BE_SENT_ANEW} then d.due_at else k.next_at end
        from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::timestamptz[])
             as k(organization_id, webhook_endpoint_id, event_id, attempts, next_at)
       where d.organization_id = k.organization_id and d.webhook_endpoint_id = k.webhook_endpoint_id
         and d.event_id = k.event_id and d.attempts in (k.attempts, ${TO_BE_SENT_ANEW})`,
    values: [
      ...deliveryColumns(results),
      numberArray(results.map(({ attempts }) => attempts)),
      timeArray(results.map(({ nextAt }) => nextAt)),
    ],
  };
}

/** Most endpoints are healthy most of the time, and then nothing is written. */
function heal(keys: readonly EndpointKey[]): Statement {
  return {
    name: "webhooks_heal",
    text: `
      update webhook_endpoints e set failing_since = null, failed_at = null
        from unnest($1::text[], $2::text[]) as k(organization_id, webhook_endpoint_id)
       where e.organization_id = k.organization_id and e.webhook_endpoint_id = k.webhook_endpoint_id
         and e.failing_since is not null`,
    values: endpointColumns(sorted(keys)),
  };
}

function markFailing(keys: readonly EndpointKey[], now: Date): Statement {
  return {
    name: "webhooks_failing",
    text: `
      update webhook_endpoints e set failing_since = coalesce(e.failing_since, $3), failed_at = $3
        from unnest($1::text[], $2::text[]) as k(organization_id, webhook_endpoint_id)
       where e.organization_id = k.organization_id and e.webhook_endpoint_id = k.webhook_endpoint_id`,
    values: [...endpointColumns(sorted(keys)), now],
  };
}

/** Gives deliveries back that were taken and never tried: anybody may have them at once. */
export function release(
  keys: readonly (EndpointKey & { eventId: string })[],
  workerId: number,
): Statement {
  return {
    name: "webhooks_release",
    text: `
      update webhook_deliveries d set lease_until = null, worker_id = null
        from unnest($1::text[], $2::text[], $3::text[]) as k(organization_id, webhook_endpoint_id, event_id)
       where d.organization_id = k.organization_id and d.webhook_endpoint_id = k.webhook_endpoint_id
         and d.event_id = k.event_id and d.worker_id = $4`,
    values: [...deliveryColumns(keys), workerId],
  };
}

/** Puts off a delivery that was taken and never tried, without counting an attempt. */
export function holdBack(
  { organizationId, webhookEndpointId, eventId }: EndpointKey & { eventId: string },
  workerId: number,
  until: Date,
): Statement {
  return {
    name: "webhooks_hold_back",
    text: `
      update webhook_deliveries set due_at = $5, lease_until = null, worker_id = null
       where organization_id = $1 and webhook_endpoint_id = $2 and event_id = $3 and worker_id = $4`,
    values: [organizationId, webhookEndpointId, eventId, workerId, until],
  };
}

/** Lets a delivery go that is still held back until then; whatever else became of it stays. */
export function bringForward(
  { organizationId, webhookEndpointId, eventId }: EndpointKey & { eventId: string },
  heldUntil: Date,
  now: Date,
): Statement {
  return {
    name: "webhooks_bring_forward",
    text: `
      update webhook_deliveries set due_at = $5
       where organization_id = $1 and webhook_endpoint_id = $2 and event_id = $3 and due_at = $4
         and worker_id is null`,
    values: [organizationId, webhookEndpointId, eventId, heldUntil, now],
  };
}
