import type { Connection, Pool } from "../../db/pool.ts";
import { transaction } from "../../db/transaction.ts";
import { DAY_MS } from "../../foundation/dates.ts";
import type { RemoteMessage } from "./message.ts";

/** A card whose oldest advice is due to be sent. */
export interface AdviceTurn {
  organizationId: string;
  cardId: string;
  attempts: number;
}

export interface WaitingAdvice {
  requestId: string;
  message: RemoteMessage;
  createdAt: Date;
}

/** In real time: longer than any answer is waited for. */
const LEASE = "interval '30 seconds'";
const IS_FREE = "(lease_until is null or lease_until <= clock_timestamp())";
const WAITING = "given_up_at is null";

/** How many turns one organization may have at once, and how many some have already. */
export interface Fairness {
  running: ReadonlyMap<string, number>;
  perOrganization: number;
}

/** Leases turns that are due to one worker. What a dead worker had is due again when its lease is over. */
export async function takeTurns(
  db: Connection,
  now: Date,
  limit: number,
  { running, perOrganization }: Fairness,
): Promise<AdviceTurn[]> {
  const { rows } = await db.query<AdviceTurn>(
    `with ready as (
       select organization_id, card_id from (
         select organization_id, card_id, due_at,
                row_number() over (partition by organization_id order by due_at) as place
           from authorization_advice_queues
          where due_at <= $1 and ${IS_FREE}) q
         left join unnest($3::text[], $4::int[]) as r(organization_id, running) using (organization_id)
        where place <= $5 - coalesce(running, 0) order by due_at limit $2)
     update authorization_advice_queues q set lease_until = clock_timestamp() + ${LEASE}
       from (select organization_id, card_id from authorization_advice_queues
              where (organization_id, card_id) in (select organization_id, card_id from ready)
                and ${IS_FREE}
                for no key update skip locked) as due
      where q.organization_id = due.organization_id and q.card_id = due.card_id
     returning q.organization_id as "organizationId", q.card_id as "cardId", q.attempts`,
    [now, limit, [...running.keys()], [...running.values()], perOrganization],
  );
  return rows;
}

/** How long until the next turn falls due that nobody has. */
export async function nextTurnInMs(
  db: Connection,
  now: Date,
  busy: readonly string[],
): Promise<number | undefined> {
  const { rows } = await db.query<{ dueAt: Date }>(
    `select due_at as "dueAt" from authorization_advice_queues
      where ${IS_FREE} and organization_id <> all ($1::text[]) order by due_at limit 1`,
    [busy],
  );
  return rows[0] === undefined ? undefined : rows[0].dueAt.getTime() - now.getTime();
}

export async function firstAdvice(
  db: Connection,
  { organizationId, cardId }: AdviceTurn,
): Promise<WaitingAdvice | undefined> {
  const { rows } = await db.query<WaitingAdvice>(
    `select request_id as "requestId", message, created_at as "createdAt" from authorization_advices
      where organization_id = $1 and card_id = $2 and ${WAITING} order by advice_number limit 1`,
    [organizationId, cardId],
  );
  return rows[0];
}

/** The advice has arrived, or is given up; the card's next one is due, if there is one. */
export async function endTurn(
  pool: Pool,
  { organizationId, cardId }: AdviceTurn,
  advice: { requestId: string; isGivenUp: boolean } | undefined,
  now: Date,
): Promise<void> {
  const card = [organizationId, cardId];
  await transaction(pool, async (tx) => {
    if (advice !== undefined) await settle(tx, organizationId, advice, now);
    // Whoever adds an advice holds this lock too: so the next statement sees it.
    await tx.query(
      `select from authorization_advice_queues where organization_id = $1 and card_id = $2 for update`,
      card,
    );
    const { rowCount } = await tx.query(
      `delete from authorization_advice_queues where organization_id = $1 and card_id = $2
          and not exists (select from authorization_advices
                           where organization_id = $1 and card_id = $2 and ${WAITING})`,
      card,
    );
    if (rowCount === 0) await postponeTurn(tx, { organizationId, cardId, attempts: 0 }, now);
  });
}

async function settle(
  db: Connection,
  organizationId: string,
  { requestId, isGivenUp }: { requestId: string; isGivenUp: boolean },
  now: Date,
): Promise<void> {
  if (isGivenUp) {
    await db.query(
      `update authorization_advices set given_up_at = $3 where organization_id = $1 and request_id = $2`,
      [organizationId, requestId, now],
    );
  } else {
    await db.query(
      `delete from authorization_advices where organization_id = $1 and request_id = $2`,
      [organizationId, requestId],
    );
  }
}

/** Ends the lease; the turn comes again at `dueAt`, or at once where that is not given. */
export async function postponeTurn(
  db: Connection,
  { organizationId, cardId, attempts }: AdviceTurn,
  dueAt?: Date,
): Promise<void> {
  await db.query(
    `update authorization_advice_queues
        set attempts = $3, due_at = coalesce($4, due_at), lease_until = null
      where organization_id = $1 and card_id = $2`,
    [organizationId, cardId, attempts, dueAt ?? null],
  );
}

const GIVEN_UP_KEPT_DAYS = 30;

/** Advices that were given up are kept for a while, for whoever asks what an organization was never told. */
export async function forgetGivenUp(db: Connection, now: Date): Promise<void> {
  await db.query("delete from authorization_advices where given_up_at < $1", [
    new Date(now.getTime() - GIVEN_UP_KEPT_DAYS * DAY_MS),
  ]);
}
