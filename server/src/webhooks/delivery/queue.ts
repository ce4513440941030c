import type { Delivery, EndpointKey } from "./delivery.ts";
import type { Target } from "./targets.ts";

/** A delivery that this process has taken. */
export interface Claimed {
  delivery: Delivery;
  target: Target;
  /** Monotonic. */
  claimedAtMs: number;
}

const FIRST_LIMIT = 4;
const MIN_LIMIT = 2;
/** Connections that one endpoint may have at once. */
export const MAX_LIMIT = 32;
/** An endpoint that keeps up is given work in advance, so that it never waits for the database. */
const IN_ADVANCE = 4;
const SLOW_MS = 1_000;

/**
 * The deliveries of one endpoint that this process has in hand. How many go out at once follows the
 * endpoint's health: one more for each quick acknowledgement, half as many after anything else.
 */
export class EndpointQueue {
  readonly key: EndpointKey;
  readonly #waiting: Claimed[] = [];
  #inFlight = 0;
  #limit: number;
  #health: "Good" | "Unknown" | "Bad";

  constructor(key: EndpointKey, isSuspect = false) {
    this.key = key;
    this.#health = isSuspect ? "Bad" : "Unknown";
    this.#limit = isSuspect ? MIN_LIMIT : FIRST_LIMIT;
  }

  /** Whether the last that was heard of it is bad. */
  get isSuspect(): boolean {
    return this.#health === "Bad";
  }

  get inHand(): number {
    return this.#waiting.length + this.#inFlight;
  }

  /** How many more may be taken for it. */
  get room(): number {
    const most = this.#health === "Good" ? this.#limit * IN_ADVANCE : this.#limit;
    return Math.max(0, most - this.inHand);
  }

  /** Whether it will soon have nothing to do. */
  get isLow(): boolean {
    return this.#waiting.length <= this.#limit;
  }

  add(claimed: Claimed): void {
    this.#waiting.push(claimed);
  }

  /** The next to be sent, if one may be. */
  next(): Claimed | undefined {
    if (this.#inFlight >= this.#limit) return undefined;
    const claimed = this.#waiting.shift();
    if (claimed !== undefined) this.#inFlight += 1;
    return claimed;
  }

  /** A delivery has ended; without an outcome, it says nothing about the endpoint's health. */
  done(outcome?: { isAcknowledged: boolean; durationMs: number }): void {
    this.#inFlight -= 1;
    if (outcome === undefined) return;
    const isGood = outcome.isAcknowledged && outcome.durationMs < SLOW_MS;
    this.#health = isGood ? "Good" : "Bad";
    this.#limit = isGood
      ? Math.min(this.#limit + 1, MAX_LIMIT)
      : Math.max(Math.floor(this.#limit / 2), MIN_LIMIT);
  }

  /** Gives up what has not been sent. */
  clear(): Claimed[] {
    return this.#waiting.splice(0);
  }
}

/**
 * Divides what one process may have in hand among the endpoints that want more. Those that are slow or
 * failing share half of it, so that the others never wait for them.
 */
export function divide(
  queues: readonly EndpointQueue[],
  free: { all: number; suspects: number },
): Map<EndpointQueue, number> {
  const rooms = new Map<EndpointQueue, number>();
  let { all, suspects } = free;
  // Nobody takes everything while others want something too.
  const share = Math.max(1, Math.floor(all / Math.max(queues.length, 1)));
  for (const queue of queues) {
    const most = queue.isSuspect ? Math.min(all, suspects) : all;
    const room = Math.min(queue.room, share, most);
    if (room <= 0) continue;
    rooms.set(queue, room);
    all -= room;
    if (queue.isSuspect) suspects -= room;
  }
  return rooms;
}
