import { BEGIN, COMMIT, type Lane, type Statement } from "../../db/lane.ts";
import type { Log } from "../../foundation/log.ts";
import { Pump } from "../pump.ts";
import type { Candidate } from "./delivery.ts";

/** Held while places are given, so that there is one writer of the feed at a time. */
const FEED_LOCK = 4_000_000_005;
const MAX_ENTRIES = 1_000;
/** For events that another process wrote, or that nobody told us of. */
const REST_MS = 100;
/** Under load many commits share a round; an event that comes alone does not wait. */
const GAP_MS = 10;
const FULL_LOOK_MS = 30_000;

export interface RelayOptions {
  /** A durable one: a place that somebody has read must not be lost. */
  lane: Lane;
  log: Log;
  /** These have something new to be sent to them. */
  onNews(candidates: Candidate[]): void;
}

/** An organization whose events got their places, with one of its endpoints or none. */
interface Placed {
  organizationId: string;
  entries: number;
  webhookEndpointId: string | null;
  isFailing: boolean;
}

const LOCK: Statement = {
  name: "feed_lock",
  text: "select pg_advisory_xact_lock($1)",
  values: [FEED_LOCK],
};

const LAST_ENTRY: Statement = {
  name: "feed_last_entry",
  text: `select last_value as "entryId" from event_log_entry_id_seq`,
};

/** Gives committed events their places in the feed, and tells who waits for them. */
export class Relay {
  readonly #options: RelayOptions;
  readonly #pump: Pump;
  #isOnCall = false;
  /** Entries before this one have their places, but for those whose commit takes unusually long. */
  #fromEntryId = 0n;
  /** How far entries had been numbered at the last look at everything. */
  #lastEntryId = 0n;
  #fullLookAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#pump = new Pump({
      name: "event-relay",
      step: () => this.#placeWaiting(),
      restMs: REST_MS,
      gapMs: GAP_MS,
      log: options.log,
    });
  }

  start(): void {
    this.#pump.start();
  }

  /**
   * Gives places only to those who ask to be caught up: another process does it now and then, and had
   * better do it itself, because it sends what got its place.
   */
  standBy(): void {
    this.#isOnCall = true;
    this.#pump.standBy();
  }

  stop(): Promise<void> {
    return this.#pump.stop();
  }

  /** Something may have been committed. */
  nudge(): void {
    if (!this.#isOnCall) this.#pump.wake();
  }

  /** Resolves when all that is committed now has its place. */
  caughtUp(): Promise<void> {
    return this.#pump.caughtUp();
  }

  /**
   * The index of what waits is full of what waited before until it is vacuumed, which a long backup
   * prevents. So most looks begin where things stood a while ago; now and then one sees everything, for
   * the sake of a commit that took longer.
   */
  async #placeWaiting(): Promise<boolean> {
    const isFull = performance.now() - this.#fullLookAtMs > FULL_LOOK_MS;
    const place = placeEntries(isFull ? 0n : this.#fromEntryId);
    const results = await this.#options.lane.send([
      BEGIN,
      LOCK,
      place,
      ...(isFull ? [LAST_ENTRY] : []),
      COMMIT,
    ]);
    const placed = (results[2]?.rows ?? []) as Placed[];
    this.#tell(placed);
    const entries = new Map(placed.map((row) => [row.organizationId, row.entries]));
    const hasMore = [...entries.values()].reduce((sum, count) => sum + count, 0) >= MAX_ENTRIES;
    if (isFull && !hasMore) this.#hasSeenAll(results[3]?.rows[0].entryId ?? 0n);
    return hasMore;
  }

  #tell(placed: Placed[]): void {
    const news = placed.flatMap(({ organizationId, webhookEndpointId, isFailing }) =>
      webhookEndpointId === null ? [] : [{ organizationId, webhookEndpointId, isFailing }],
    );
    if (news.length > 0 && !this.#isOnCall) this.#options.onNews(news);
  }

  #hasSeenAll(lastEntryId: bigint): void {
    this.#fullLookAtMs = performance.now();
    this.#fromEntryId = this.#lastEntryId;
    this.#lastEntryId = lastEntryId;
  }
}

/**
 * Numbers the events of each organization on from its last place, entries in their order. Of two
 * events of a card the second is in a later entry, because it waited for the first one's commit. Rows
 * are found again by where they lie: nobody else writes here, and no statistics can spoil that plan.
 */
export function placeEntries(fromEntryId: bigint): Statement {
  return {
    name: "feed_place",
    text: `
      with waiting as (
        select ctid as at, entry_id, organization_id, events from event_log
         where position is null and entry_id >= $1 order by entry_id limit ${MAX_ENTRIES}),
      heads as (
        select o.organization_id, coalesce((
                 select position from event_log l
                  where l.organization_id = o.organization_id and l.position is not null
                  order by l.position desc limit 1), 0) as head
          from (select distinct organization_id from waiting) o),
      places as (
        select at, head + sum(events) over (partition by organization_id order by entry_id) as position
          from waiting join heads using (organization_id)),
      placed as (
        update event_log l set position = p.position
          from places p where l.ctid = p.at and l.position is null
        returning l.organization_id)
      select o.organization_id as "organizationId", o.entries, e.webhook_endpoint_id as "webhookEndpointId",
             e.failing_since is not null as "isFailing"
        from (select organization_id, count(*)::int as entries from placed group by 1) o
        left join lateral (
          select webhook_endpoint_id, failing_since from webhook_endpoints
           where organization_id = o.organization_id and status = 'Enabled' offset 0) e on true`,
    values: [fromEntryId],
  };
}
