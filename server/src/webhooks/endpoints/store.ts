import type { Connection } from "../../db/pool.ts";
import { type Page, rowsFor } from "../../http/pagination.ts";
import type { TargetRow } from "../delivery/claim-store.ts";
import type { EventType } from "../event-types.ts";

export type EndpointStatus = "Enabled" | "Disabled";

export interface Endpoint extends TargetRow {
  eventTypes: EventType[];
  status: EndpointStatus;
  createdAt: Date;
}

const COLUMNS = `
  organization_id as "organizationId", webhook_endpoint_id as "webhookEndpointId", url,
  event_types as "eventTypes", status, secret_sealed as "secretSealed",
  previous_secret_sealed as "previousSecretSealed", previous_secret_until as "previousSecretUntil",
  created_at as "createdAt"`;

/** The last position in an organization's feed. */
const HEAD = `coalesce((
  select position from event_log where organization_id = $1 and position is not null
   order by position desc limit 1), 0)`;

export type NewEndpoint = Omit<Endpoint, "previousSecretSealed" | "previousSecretUntil" | "status">;

/** An endpoint is told what happens from now on. False when the organization has enough of them. */
export async function insertEndpoint(
  db: Connection,
  row: NewEndpoint,
  maxEndpoints: number,
): Promise<boolean> {
  // One at a time, or two could both be the last that fits.
  await db.query("select from organizations where organization_id = $1 for no key update", [
    row.organizationId,
  ]);
  const { rowCount } = await db.query(
    `insert into webhook_endpoints
       (organization_id, webhook_endpoint_id, url, event_types, status, secret_sealed, position, created_at)
     select $1, $2, $3, $4, 'Enabled', $5, ${HEAD}, $6
      where (select count(*) from webhook_endpoints where organization_id = $1) < $7`,
    [
      row.organizationId,
      row.webhookEndpointId,
      row.url,
      row.eventTypes,
      row.secretSealed,
      row.createdAt,
      maxEndpoints,
    ],
  );
  return rowCount === 1;
}

export async function findEndpoint(
  db: Connection,
  organizationId: string,
  webhookEndpointId: string,
): Promise<Endpoint | undefined> {
  const { rows } = await db.query<Endpoint>(
    `select ${COLUMNS} from webhook_endpoints where organization_id = $1 and webhook_endpoint_id = $2`,
    [organizationId, webhookEndpointId],
  );
  return rows[0];
}

/** Newest first, one more than the page holds. */
export async function listEndpoints(
  db: Connection,
  organizationId: string,
  page: Page,
): Promise<Endpoint[]> {
  const { rows } = await db.query<Endpoint>(
    `select ${COLUMNS} from webhook_endpoints
      where organization_id = $1 and ($2::text is null or webhook_endpoint_id < $2)
      order by webhook_endpoint_id desc limit $3`,
    [organizationId, page.cursor ?? null, rowsFor(page)],
  );
  return rows;
}

export interface EndpointChange {
  url?: string | undefined;
  eventTypes?: EventType[] | undefined;
  status?: EndpointStatus | undefined;
}

/**
 * Enabled again, an endpoint starts anew: it is told what happens from then on, and its failures are forgotten.
 * What waited for another attempt, or for its first, goes on; what it missed can be recovered. A new address also
 * has no failures yet.
 */
export async function updateEndpoint(
  db: Connection,
  organizationId: string,
  webhookEndpointId: string,
  { url, eventTypes, status }: EndpointChange,
): Promise<Endpoint | undefined> {
  const isRevived = "(status = 'Disabled' and $5::text = 'Enabled')";
  const hasFailed = `not ${isRevived} and coalesce($3, url) = url`;
  const { rows } = await db.query<Endpoint>(
    `update webhook_endpoints
        set url = coalesce($3, url), event_types = coalesce($4, event_types), status = coalesce($5, status),
            position = case when ${isRevived} then ${HEAD} else position end,
            failing_since = case when ${hasFailed} then failing_since end,
            failed_at = case when ${hasFailed} then failed_at end
      where organization_id = $1 and webhook_endpoint_id = $2 returning ${COLUMNS}`,
    [organizationId, webhookEndpointId, url ?? null, eventTypes ?? null, status ?? null],
  );
  return rows[0];
}

/** The secret before this one goes on signing until then. */
export async function replaceEndpointSecret(
  db: Connection,
  organizationId: string,
  webhookEndpointId: string,
  { secretSealed, previousUntil }: { secretSealed: Buffer; previousUntil: Date },
): Promise<Endpoint | undefined> {
  const { rows } = await db.query<Endpoint>(
    `update webhook_endpoints
        set previous_secret_sealed = secret_sealed, previous_secret_until = $4, secret_sealed = $3
      where organization_id = $1 and webhook_endpoint_id = $2 returning ${COLUMNS}`,
    [organizationId, webhookEndpointId, secretSealed, previousUntil],
  );
  return rows[0];
}

/** Its deliveries are cleared away later: there may be many. */
export async function deleteEndpoint(
  db: Connection,
  organizationId: string,
  webhookEndpointId: string,
): Promise<Endpoint | undefined> {
  const { rows } = await db.query<Endpoint>(
    `delete from webhook_endpoints where organization_id = $1 and webhook_endpoint_id = $2
     returning ${COLUMNS}`,
    [organizationId, webhookEndpointId],
  );
  return rows[0];
}

/** Has the events between two ids looked through again, together with what is being recovered already. */
export async function startRecovery(
  db: Connection,
  organizationId: string,
  webhookEndpointId: string,
  { fromId, untilId }: { fromId: string; untilId: string },
): Promise<Endpoint | undefined> {
  const { rows } = await db.query<Endpoint>(
    `update webhook_endpoints
        set recover_from = least(recover_from, $3), recover_until = greatest(recover_until, $4)
      where organization_id = $1 and webhook_endpoint_id = $2 returning ${COLUMNS}`,
    [organizationId, webhookEndpointId, fromId, untilId],
  );
  return rows[0];
}
