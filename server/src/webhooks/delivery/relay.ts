import { BEGIN, COMMIT, type Lane } from "../../db/lane.ts";
import type { Log } from "../../foundation/log.ts";
import { Pump } from "../../jobs/pump.ts";
import type { Candidate } from "./delivery.ts";
import { LAST_ENTRY, LOCK_FEED, MAX_ENTRIES, type Placed, placeEntries } from "./feed-store.ts";

/** For events that another process wrote, that nobody told us of, or that nobody waits for. */
const REST_MS = 100;
/** Under load many commits share a round; an event that comes alone does not wait. */
const GAP_MS = 10;
const FULL_LOOK_MS = 30_000;

export interface RelayOptions {
  /** A durable one: a position that somebody has read must not be lost. */
  lane: Lane;
  log: Log;
  /** These have something new to be sent to them. */
  onNews(candidates: Candidate[]): void;
}

/** Gives committed events their positions in the feed, and tells who waits for them. */
export class Relay {
  readonly #options: RelayOptions;
  readonly #pump: Pump;
  #isOnCall = false;
  /** Whether what was placed last is sent to anybody. If not, what comes next can wait for a round by itself. */
  #isAwaited = true;
  /** Entries before this one have their positions, but for those whose commit takes unusually long. */
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
   * Gives positions only to those who ask to be caught up: another process does it now and then, and had
   * better do it itself, because it sends what got its position.
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
    if (this.#isAwaited && !this.#isOnCall) this.#pump.wake();
  }

  /** Resolves when all that is committed now has its position. */
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
      LOCK_FEED,
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
    this.#isAwaited = news.length > 0 || placed.length === 0;
    if (news.length > 0 && !this.#isOnCall) this.#options.onNews(news);
  }

  #hasSeenAll(lastEntryId: bigint): void {
    this.#fullLookAtMs = performance.now();
    this.#fromEntryId = this.#lastEntryId;
    this.#lastEntryId = lastEntryId;
  }
}
