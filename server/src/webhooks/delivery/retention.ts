import type { Pool } from "../../db/pool.ts";
import type { Clock } from "../../foundation/clock.ts";
import { DAY_MS } from "../../foundation/dates.ts";
import { firstId } from "../../foundation/ids.ts";
import { OWNERS } from "./owners.ts";

/** How long attempts are known, in service time; who has acknowledged what is known as long. */
export const ATTEMPTS_KEPT_DAYS = 30;
/** Attempts that are looked at, and deliveries that are deleted, in one step. */
const MAX_AT_ONCE = 2_000;
/** In real time, from the end of one round through all organizations to the next. */
const REST_MS = 60 * 60 * 1000;

interface Place {
  eventId: string;
  attemptId: bigint;
}

const BEGINNING: Place = { eventId: "", attemptId: 0n };

export interface RetentionOptions {
  pool: Pool;
  clock: Clock;
  maxAtOnce?: number;
}

/**
 * Forgets old attempts, and deliveries that failed for good, or whose endpoint was disabled, long ago. An id carries
 * the time of its event, so that old ones are at the beginning of each organization's and need no index that every
 * delivery would pay for. What was sent again lately is there too: it is looked at and left.
 */
export class Retention {
  readonly #options: Required<RetentionOptions>;
  /** Still to be gone through; undefined between two rounds. */
  #organizations: string[] | undefined;
  #after = BEGINNING;
  #restUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: RetentionOptions) {
    this.#options = { maxAtOnce: MAX_AT_ONCE, ...options };
  }

  /** Does a little; true when there is more to be done now. */
  async step(): Promise<boolean> {
    if (performance.now() < this.#restUntilMs) return false;
    const before = new Date(this.#options.clock.nowMs() - ATTEMPTS_KEPT_DAYS * DAY_MS);
    this.#organizations ??= await this.#findOrganizations(before);
    const [organizationId] = this.#organizations;
    if (organizationId !== undefined) {
      if (await this.#forgetAttempts(organizationId, before)) return true;
      this.#organizations.shift();
      this.#after = BEGINNING;
      return true;
    }
    if (await this.#forgetFailed(before)) return true;
    this.#organizations = undefined;
    this.#restUntilMs = performance.now() + REST_MS;
    return false;
  }

  /** Those whose first attempt is of an old event, found by jumping from one to the next. */
  async #findOrganizations(before: Date): Promise<string[]> {
    const { rows } = await this.#options.pool.query<{ organizationId: string }>(
      `with recursive firsts as (
         (select organization_id, event_id from webhook_attempts
           order by organization_id, event_id limit 1)
         union all
         select n.* from firsts f cross join lateral (
           select organization_id, event_id from webhook_attempts
            where organization_id > f.organization_id order by organization_id, event_id limit 1) n)
       select organization_id as "organizationId" from firsts where event_id < $1`,
      [firstId("evt", before.getTime())],
    );
    return rows.map(({ organizationId }) => organizationId);
  }

  /** Goes on through an organization's attempts; true when there may be more. */
  async #forgetAttempts(organizationId: string, before: Date): Promise<boolean> {
    const { pool, maxAtOnce } = this.#options;
    const { eventId, attemptId } = this.#after;
    const { rows } = await pool.query<Place & { looked: number }>(
      `with looked as materialized (
         select ctid as place, event_id, attempt_id, at from webhook_attempts
          where organization_id = $1 and event_id < $2 and (event_id, attempt_id) > ($3, $4::bigint)
          order by event_id, attempt_id limit $5),
       gone as (
         delete from webhook_attempts
          where ctid = any(array(select place from looked where at < $6)) and organization_id = $1)
       select event_id as "eventId", attempt_id as "attemptId",
              (select count(*)::int from looked) as looked
         from looked order by event_id desc, attempt_id desc limit 1`,
      [organizationId, firstId("evt", before.getTime()), eventId, attemptId, maxAtOnce, before],
    );
    const [last] = rows;
    if (last === undefined) return false;
    this.#after = last;
    return last.looked >= maxAtOnce;
  }

  /**
   * Failed deliveries go with the last of their attempts, and so do those that a disabled endpoint was to get;
   * true when there may be more.
   */
  async #forgetFailed(before: Date): Promise<boolean> {
    const { pool, maxAtOnce } = this.#options;
    const { rowCount } = await pool.query(
      `with recursive ${OWNERS},
       endpoints as (
         select o.*, e.status is not distinct from 'Disabled' as is_disabled
           from owners o left join webhook_endpoints e using (organization_id, webhook_endpoint_id)),
       old as (
         select d.* from endpoints o cross join lateral (
           select organization_id, webhook_endpoint_id, event_id, due_at from webhook_deliveries f
            where f.organization_id = o.organization_id and f.webhook_endpoint_id = o.webhook_endpoint_id
              and f.event_id < $1 and (f.due_at is null or o.is_disabled and f.due_at < $3)
              and not exists (
                select from webhook_attempts a
                 where a.organization_id = f.organization_id and a.event_id = f.event_id
                   and a.webhook_endpoint_id = f.webhook_endpoint_id)
            limit $2) d limit $2)
       delete from webhook_deliveries d using old
        where d.organization_id = old.organization_id
          and d.webhook_endpoint_id = old.webhook_endpoint_id and d.event_id = old.event_id
          and d.due_at is not distinct from old.due_at`,
      [firstId("evt", before.getTime()), maxAtOnce, before],
    );
    return (rowCount ?? 0) >= maxAtOnce;
  }
}
