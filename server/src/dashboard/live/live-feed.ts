import type { Pool } from "../../db/pool.ts";
import { Failure } from "../../foundation/failure.ts";
import type { Log } from "../../foundation/log.ts";
import { Pump } from "../../jobs/pump.ts";
import { type EventRow, lastPosition, readFeed } from "../../webhooks/events/store.ts";

const POLL_MS = 250;
const GAP_MS = 100;
const MAX_EVENTS = 100;
/** Whoever was away for longer had better read everything anew. */
const MAX_BEHIND = 1_000n;
const MAX_LISTENERS = 2_000;
const MAX_LISTENERS_PER_ORGANIZATION = 100;
/** Tabs of one person: whoever opens more must not keep colleagues out. */
const MAX_LISTENERS_PER_PERSON = 10;

/** Somebody who is told of an organization's events, each with its position in the feed. */
export interface Listener {
  personId: string;
  tell(event: EventRow, position: bigint): void;
  /** The service stops. */
  end(): void;
}

interface Channel {
  position: bigint;
  listeners: Set<Listener>;
}

/**
 * Tells browsers what happens, from the feed that webhooks are sent from, so that it does not matter which
 * process something happened in. Only organizations that somebody looks at are asked after.
 */
export class LiveFeed {
  readonly #pool: Pool;
  readonly #channels = new Map<string, Channel>();
  readonly #pump: Pump;
  #listeners = 0;
  #isStopped = false;

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#pump = new Pump({
      name: "live-feed",
      step: () => this.#round(),
      restMs: POLL_MS,
      gapMs: GAP_MS,
      log,
    });
  }

  start(): void {
    this.#pump.start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#pump.stop();
    for (const { listeners } of this.#channels.values()) {
      for (const listener of listeners) listener.end();
    }
    this.#channels.clear();
  }

  /** Listens to what happens from now on, or from a recent position on. Gives the function that ends it. */
  async listen(
    organizationId: string,
    listener: Listener,
    after: bigint | undefined,
  ): Promise<() => void> {
    const head = await lastPosition(this.#pool, organizationId);
    // No await from here until the listener has joined, so that two who come at once share a channel.
    const channel = this.#channels.get(organizationId) ?? { position: head, listeners: new Set() };
    if (
      this.#isStopped ||
      this.#listeners >= MAX_LISTENERS ||
      channel.listeners.size >= MAX_LISTENERS_PER_ORGANIZATION ||
      countOf(channel, listener.personId) >= MAX_LISTENERS_PER_PERSON
    ) {
      throw new Failure("NO_ACTION_TAKEN", { message: "Too many are listening", retryAfterS: 10 });
    }
    this.#channels.set(organizationId, channel);
    channel.listeners.add(listener);
    this.#listeners += 1;
    const { position } = channel;
    if (after !== undefined && after < position && position - after <= MAX_BEHIND) {
      await this.#catchUp(organizationId, listener, after, position).catch((error: unknown) => {
        this.#leave(organizationId, listener);
        throw error;
      });
    }
    return () => this.#leave(organizationId, listener);
  }

  #leave(organizationId: string, listener: Listener): void {
    const channel = this.#channels.get(organizationId);
    if (channel?.listeners.delete(listener) !== true) return;
    this.#listeners -= 1;
    if (channel.listeners.size === 0) this.#channels.delete(organizationId);
  }

  async #catchUp(
    organizationId: string,
    listener: Listener,
    after: bigint,
    until: bigint,
  ): Promise<void> {
    for (let position = after; position < until; ) {
      const { rows, next } = await this.#read(organizationId, position);
      if (next <= position) return;
      for (const row of rows) if (row.position <= until) listener.tell(row, row.position);
      position = next;
    }
  }

  async #round(): Promise<boolean> {
    let hasMore = false;
    for (const [organizationId, channel] of this.#channels) {
      const { rows, next } = await this.#read(organizationId, channel.position);
      for (const row of rows) {
        for (const listener of channel.listeners) listener.tell(row, row.position);
      }
      channel.position = next;
      hasMore ||= rows.length >= MAX_EVENTS;
    }
    return hasMore;
  }

  async #read(organizationId: string, after: bigint) {
    const everything = { range: { from: undefined, to: undefined } };
    const stretch = { limit: MAX_EVENTS, after };
    const { rows, nextKey } = await readFeed(this.#pool, organizationId, everything, stretch);
    return { rows: rows as (EventRow & { position: bigint })[], next: BigInt(nextKey ?? after) };
  }
}

const countOf = ({ listeners }: Channel, personId: string): number =>
  [...listeners].filter((listener) => listener.personId === personId).length;
