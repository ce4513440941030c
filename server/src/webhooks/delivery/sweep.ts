import type { Connection, Pool } from "../../db/pool.ts";
import { transaction } from "../../db/transaction.ts";
import { tellEvents } from "../../engine/events.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Log } from "../../foundation/log.ts";
import { keepWaiting } from "../endpoints/waiting.ts";
import type { EndpointKey } from "./delivery.ts";
import { OWNERS, WAITING_OWNERS } from "./owners.ts";
import { DISABLE_AFTER_MS, LONGEST_DELAY_MS } from "./schedule.ts";

const MAX_DISABLED_AT_ONCE = 100;
const MAX_DELETED_AT_ONCE = 5_000;
/** More than the clocks of several processes differ by. */
const SKEW_MS = 3_600_000;

export interface SweepDeps {
  pool: Pool;
  clock: Clock;
  log: Log;
}

/** Whether anybody wants to be told of anything. */
export async function hasEndpoints(db: Connection): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>(
    "select exists (select from webhook_endpoints where status = 'Enabled') as has",
  );
  return rows[0]?.has ?? false;
}

interface DisabledEndpoint extends EndpointKey {
  url: string;
  position: bigint;
  failingSince: Date;
}

/**
 * Disables endpoints that have only failed for `DISABLE_AFTER_MS`, and tells so in an event. An attempt must
 * have failed after that time, so that an endpoint that is back is tried before it is judged; where nothing is
 * left to be tried, the time alone counts.
 */
export async function disableFailing({ pool, clock, log }: SweepDeps): Promise<number> {
  const now = clock.now();
  const disabled = await transaction(pool, async (tx) => {
    const { rows } = await tx.query<DisabledEndpoint>(
      `update webhook_endpoints e set status = 'Disabled'
         from (select organization_id, webhook_endpoint_id from webhook_endpoints f
                where status = 'Enabled' and failing_since <= $1
                  and (failed_at >= failing_since + $2::bigint * interval '1 millisecond'
                       or not exists (
                         select from webhook_deliveries d
                          where d.organization_id = f.organization_id
                            and d.webhook_endpoint_id = f.webhook_endpoint_id and d.due_at is not null))
                order by failing_since limit $3 for no key update skip locked) as f
        where e.organization_id = f.organization_id and e.webhook_endpoint_id = f.webhook_endpoint_id
       returning e.organization_id as "organizationId", e.webhook_endpoint_id as "webhookEndpointId", e.url,
                 e.position, e.failing_since as "failingSince"`,
      [new Date(now.getTime() - DISABLE_AFTER_MS), DISABLE_AFTER_MS, MAX_DISABLED_AT_ONCE],
    );
    if (rows.length === 0) return rows;
    for (const row of rows) await keepWaiting(tx, row, now.getTime());
    const notices = rows.map((row) => noticeOf(row, now));
    await tellEvents(tx, notices, now);
    return rows;
  });
  for (const { organizationId, webhookEndpointId } of disabled) {
    log.warn({ organizationId, webhookEndpointId }, "a webhook endpoint was disabled");
  }
  return disabled.length;
}

function noticeOf(
  { organizationId, webhookEndpointId, url, failingSince }: DisabledEndpoint,
  now: Date,
) {
  return {
    organizationId,
    eventType: "webhook_endpoint.disabled",
    data: {
      webhookEndpointId,
      url,
      failingSince: failingSince.toISOString(),
      disabledAt: now.toISOString(),
    },
  };
}

/** Makes due what waits for longer than anything is put off: the clock was ahead when that was planned. */
export async function hastenStrays(pool: Pool, now: Date): Promise<void> {
  await pool.query(
    `with recursive ${WAITING_OWNERS}
     update webhook_deliveries d set due_at = $1 from owners o
      where d.organization_id = o.organization_id and d.webhook_endpoint_id = o.webhook_endpoint_id
        and d.due_at > $2`,
    [now, new Date(now.getTime() + LONGEST_DELAY_MS + SKEW_MS)],
  );
}

/** Deletes deliveries whose endpoint is gone, some at a time; true when there may be more. */
export async function deleteOrphans(pool: Pool): Promise<boolean> {
  const { rowCount } = await pool.query(
    `with recursive ${OWNERS},
     gone as (
       select o.* from owners o left join webhook_endpoints e using (organization_id, webhook_endpoint_id)
        where e.webhook_endpoint_id is null limit 1)
     delete from webhook_deliveries where ctid = any(array(
       select d.ctid from gone g join webhook_deliveries d using (organization_id, webhook_endpoint_id)
        limit $1))`,
    [MAX_DELETED_AT_ONCE],
  );
  return (rowCount ?? 0) >= MAX_DELETED_AT_ONCE;
}
