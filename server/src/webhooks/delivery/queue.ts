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
/** Of one endpoint, those whose outcome is being recorded among them. */
export const MAX_IN_HAND = IN_ADVANCE * MAX_LIMIT;
const SLOW_MS = 1_000;

/**
 * The deliveries of one endpoint that this process has in hand, from when they are taken until what came of them is
 * recorded: should it die, these may be sent again, and no others. How many go out at once follows the
 * endpoint's health: one more for each quick acknowledgement, half as many after anything else.
 */
export class EndpointQueue {
  readonly key: EndpointKey;
  readonly #waiting: Claimed[] = [];
  #inFlight = 0;
  /** Those that have an outcome which is not recorded yet. */
  #unrecorded = 0;
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
    return this.#waiting.length + this.#inFlight + this.#unrecorded;
  }

  /** How many more may be taken for it. */
  get room(): number {
    const most = this.#health === "Good" ? this.#limit * IN_ADVANCE : this.#limit;
    const wanted = most - this.#waiting.length - this.#inFlight;
    return Math.max(0, Math.min(wanted, MAX_IN_HAND - this.inHand));
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

  /** A delivery has ended; without an outcome to be recorded, it says nothing about the endpoint's health. */
  done(outcome?: { isAcknowledged: boolean; durationMs: number }): void {
    this.#inFlight -= 1;
    if (outcome === undefined) return;
    this.#unrecorded += 1;
    const isGood = outcome.isAcknowledged && outcome.durationMs < SLOW_MS;
    this.#health = isGood ? "Good" : "Bad";
    this.#limit = isGood
      ? Math.min(this.#limit + 1, MAX_LIMIT)
      : Math.max(Math.floor(this.#limit / 2), MIN_LIMIT);
  }

  /** What came of a delivery is recorded, or cannot be. */
  recorded(): void {
    this.#unrecorded -= 1;
  }

  /** Gives up what has not been sent. */
  clear(): Claimed[] {
    return this.#waiting.splice(0);
  }
}

/** How much more one process may take. */
export interface Free {
  all: number;
  suspects: number;
  of(organizationId: string): number;
}

/**
 * What is free of the room of one process, given everything that it has in hand. Endpoints that are slow or failing
 * share half of it, so that the others never wait for them; and an organization has three quarters at most, so that
 * the others do not wait either when all its endpoints fall silent at once.
 */
export function freeOf(maxInHand: number, queues: readonly EndpointQueue[]): Free {
  let [all, suspects] = [maxInHand, Math.ceil(maxInHand / 2)];
  const taken = new Map<string, number>();
  for (const { key, inHand, isSuspect } of queues) {
    all -= inHand;
    if (isSuspect) suspects -= inHand;
    taken.set(key.organizationId, (taken.get(key.organizationId) ?? 0) + inHand);
  }
  const most = Math.ceil((maxInHand * 3) / 4);
  return { all, suspects, of: (organizationId) => most - (taken.get(organizationId) ?? 0) };
}

/** Divides what is free among the endpoints that want more. */
export function divide(queues: readonly EndpointQueue[], free: Free): Map<EndpointQueue, number> {
  const rooms = new Map<EndpointQueue, number>();
  const given = new Map<string, number>();
  let { all, suspects } = free;
  // Nobody takes everything while others want something too.
  const share = Math.max(1, Math.floor(all / Math.max(queues.length, 1)));
  for (const queue of queues) {
    const { organizationId } = queue.key;
    const own = given.get(organizationId) ?? 0;
    const most = Math.min(all, free.of(organizationId) - own, queue.isSuspect ? suspects : all);
    const room = Math.min(queue.room, share, most);
    if (room <= 0) continue;
    rooms.set(queue, room);
    given.set(organizationId, own + room);
    all -= room;
    if (queue.isSuspect) suspects -= room;
  }
  return rooms;
}
