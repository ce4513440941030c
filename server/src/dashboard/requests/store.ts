import { numberArray, textArray, timeArray } from "../../db/arrays.ts";
import type { Connection, Pool } from "../../db/pool.ts";
import { DAY_MS } from "../../foundation/dates.ts";
import { firstId } from "../../foundation/ids.ts";
import { type Page, rowsFor } from "../../http/pagination.ts";

export interface LoggedRequest {
  organizationId: string;
  requestId: string;
  method: string;
  path: string;
  reference: string;
  responseCode: string;
  httpStatus: number;
  durationMs: number;
  at: Date;
}

export async function insertRequests(
  db: Connection,
  rows: readonly LoggedRequest[],
): Promise<void> {
  await db.query(
    `insert into api_requests (organization_id, request_id, method, path, reference, response_code,
       http_status, duration_ms, created_at)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
                          $7::smallint[], $8::real[], $9::timestamptz[])
     on conflict do nothing`,
    [
      textArray(rows.map((row) => row.organizationId)),
      textArray(rows.map((row) => row.requestId)),
      textArray(rows.map((row) => row.method)),
      textArray(rows.map((row) => row.path)),
      textArray(rows.map((row) => row.reference)),
      textArray(rows.map((row) => row.responseCode)),
      numberArray(rows.map((row) => row.httpStatus)),
      numberArray(rows.map((row) => row.durationMs)),
      timeArray(rows.map((row) => row.at)),
    ],
  );
}

export interface RequestFilter {
  code?: string | undefined;
  outcome?: "Succeeded" | "Failed" | undefined;
}

/** The latest answers to an organization, newest first. Few are kept, so that sifting them is quick. */
export async function listRequests(
  db: Connection,
  organizationId: string,
  { code, outcome }: RequestFilter,
  page: Page,
): Promise<LoggedRequest[]> {
  const { rows } = await db.query<LoggedRequest>(
    `select organization_id as "organizationId", request_id as "requestId", method, path, reference,
            response_code as "responseCode", http_status as "httpStatus", duration_ms as "durationMs",
            created_at as at
       from api_requests
      where organization_id = $1 and request_id < $2 and ($3::text is null or response_code = $3)
        and ($4::boolean is null or (http_status = 200) = $4)
      order by request_id desc limit $5`,
    [
      organizationId,
      page.cursor ?? "req_~",
      code ?? null,
      outcome === undefined ? null : outcome === "Succeeded",
      rowsFor(page),
    ],
  );
  return rows;
}

const KEPT_DAYS = 7;
const KEPT_ROWS = 20_000;

/** Forgets what is old, and of organizations that send much all but the latest. */
export async function forgetRequests(pool: Pool, nowMs: number): Promise<void> {
  const oldest = firstId("req", nowMs - KEPT_DAYS * DAY_MS);
  const { rows } = await pool.query<{ organizationId: string }>(
    `with recursive known (organization_id) as (
       (select organization_id from api_requests order by organization_id limit 1)
       union all
       select (select organization_id from api_requests where organization_id > known.organization_id
                order by organization_id limit 1)
         from known where known.organization_id is not null)
     select organization_id as "organizationId" from known where organization_id is not null`,
  );
  for (const { organizationId } of rows) {
    await pool.query(
      `delete from api_requests where organization_id = $1 and request_id < greatest($2, (
         select request_id from api_requests where organization_id = $1
          order by request_id desc offset $3 limit 1))`,
      [organizationId, oldest, KEPT_ROWS - 1],
    );
  }
}
