import type { Pool } from "../../db/pool.ts";
import { searchInTurn } from "../../db/searches.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Failure } from "../../foundation/failure.ts";
import { isId } from "../../foundation/ids.ts";
import type { Caller } from "../../http/caller.ts";
import type { Page } from "../../http/pagination.ts";
import { onceInTransaction } from "../../references/once-in-transaction.ts";
import type { WebhookWorker } from "../delivery/worker.ts";
import {
  type AttemptRow,
  type DeliveryRow,
  listAttempts,
  listDeliveries,
  resendEvent,
} from "./delivery-store.ts";
import {
  type EventFilter,
  type EventRow,
  findEvent,
  lastPosition,
  listEvents,
  readFeed,
  type Stretch,
} from "./store.ts";

const MAX_ATTEMPTS_SHOWN = 200;

export interface EventDeps {
  pool: Pool;
  clock: Clock;
  webhooks: Pick<WebhookWorker, "relay" | "look">;
}

export type EventQuery = EventFilter & Page & { order: "asc" | "desc" };

/** Newest first, or as a feed: then a page's key is a position, and all that is committed is in it. */
export async function readEvents(
  { pool, webhooks }: EventDeps,
  organizationId: string,
  { order, limit, cursor, ...filter }: EventQuery,
): Promise<Stretch> {
  if (order === "desc") {
    return searchInTurn(pool, organizationId, () =>
      listEvents(pool, organizationId, filter, { limit, before: cursor }),
    );
  }
  await webhooks.relay.caughtUp();
  const after = BigInt(cursor ?? 0);
  const stretch = await searchInTurn(pool, organizationId, () =>
    readFeed(pool, organizationId, filter, { limit, after }),
  );
  if (stretch.nextKey === cursor) await expectGiven(pool, organizationId, after);
  return stretch;
}

/**
 * A cursor beyond the last position is from before a backup was restored: what happens next gets the
 * positions that it has passed.
 */
async function expectGiven(pool: Pool, organizationId: string, position: bigint): Promise<void> {
  if (position <= (await lastPosition(pool, organizationId))) return;
  const message =
    "is beyond the end of the feed, as after a restore from a backup: read again by `from`";
  throw new Failure("INVALID_REQUEST", { errors: [{ field: "cursor", message }] });
}

export interface EventWithAttempts {
  event: EventRow;
  attempts: AttemptRow[];
  deliveries: DeliveryRow[];
}

export async function readEvent(
  { pool }: EventDeps,
  organizationId: string,
  eventId: string,
): Promise<EventWithAttempts> {
  const event = isId("evt", eventId) ? await findEvent(pool, organizationId, eventId) : undefined;
  if (event === undefined) throw new Failure("UNABLE_TO_LOCATE_RECORD");
  // In this order: a delivery that is over has left its attempt, and nobody sees it without.
  const deliveries = await listDeliveries(pool, organizationId, eventId);
  const attempts = await listAttempts(pool, organizationId, eventId, MAX_ATTEMPTS_SHOWN);
  return { event, attempts, deliveries };
}

/** Sends an event anew, to whoever is enabled and wants it, whether or not it had arrived. */
export async function resend(
  deps: EventDeps,
  { organizationId, claim }: Caller,
  eventId: string,
): Promise<EventWithAttempts> {
  const { event } = await readEvent(deps, organizationId, eventId);
  await onceInTransaction(
    deps,
    claim,
    (tx) => resendEvent(tx, organizationId, event, deps.clock.now()),
    eventId,
  );
  deps.webhooks.look();
  return readEvent(deps, organizationId, eventId);
}
