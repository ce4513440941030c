import type { Statement } from "../../db/lane.ts";
import { type Busy, claimDue, claimFresh, claimRecovered, type Room } from "./claim-store.ts";
import type { Candidate, EndpointKey } from "./delivery.ts";

type Kind = "due" | "fresh" | "recovery";

interface Entry {
  candidate: Candidate;
  /** Each with the number of the latest news of it. */
  kinds: Map<Kind, number>;
}

interface Asked {
  kind: Kind;
  rooms: Room[];
  /** The number of the latest news when this was asked. */
  news: number;
}

export interface Question {
  statement: Statement;
  asked: Asked;
}

const STATEMENTS = { due: claimDue, fresh: claimFresh, recovery: claimRecovered };

/** Endpoints that may have something to deliver, and of which kinds; those that turn out not to are struck off. */
export class Agenda {
  readonly #entries = new Map<string, Entry>();
  #news = 0;

  addFresh(candidate: Candidate): void {
    this.#note(candidate, "fresh");
  }

  add(busy: readonly Busy[]): void {
    for (const { hasDue, hasFresh, hasRecovery, ...candidate } of busy) {
      if (hasDue) this.#note(candidate, "due");
      if (hasFresh) this.#note(candidate, "fresh");
      if (hasRecovery) this.#note(candidate, "recovery");
    }
  }

  has({ webhookEndpointId }: EndpointKey): boolean {
    return this.#entries.has(webhookEndpointId);
  }

  /** Those first who have waited longest for their turn. */
  candidates(): Candidate[] {
    return [...this.#entries.values()].map(({ candidate }) => candidate);
  }

  /** What to ask the database for these endpoints. */
  questionsFor(
    given: readonly { key: EndpointKey; room: number }[],
    workerId: number,
    now: Date,
  ): Question[] {
    const asked = new Map<Kind, Room[]>();
    for (const { key, room } of given) {
      const entry = this.#entries.get(key.webhookEndpointId);
      if (entry === undefined) continue;
      for (const [kind, part] of divideAmong(entry.kinds, room)) {
        const rooms = asked.get(kind) ?? [];
        rooms.push({ ...key, room: part });
        asked.set(kind, rooms);
      }
      // Moves to the end of the queue.
      this.#entries.delete(key.webhookEndpointId);
      this.#entries.set(key.webhookEndpointId, entry);
    }
    return [...asked].map(([kind, rooms]) => ({
      statement: STATEMENTS[kind](rooms, workerId, now),
      asked: { kind, rooms, news: this.#news },
    }));
  }

  /** Strikes off the endpoints that had less than there was room for, unless there was news since. */
  found(asked: Asked, rows: readonly EndpointKey[]): void {
    const counts = new Map<string, number>();
    for (const { webhookEndpointId } of rows) {
      counts.set(webhookEndpointId, (counts.get(webhookEndpointId) ?? 0) + 1);
    }
    for (const { webhookEndpointId, room } of asked.rooms) {
      if ((counts.get(webhookEndpointId) ?? 0) >= room) continue;
      const entry = this.#entries.get(webhookEndpointId);
      if (entry === undefined || (entry.kinds.get(asked.kind) ?? 0) > asked.news) continue;
      entry.kinds.delete(asked.kind);
      if (entry.kinds.size === 0) this.#entries.delete(webhookEndpointId);
    }
  }

  #note(candidate: Candidate, kind: Kind): void {
    let entry = this.#entries.get(candidate.webhookEndpointId);
    if (entry === undefined) {
      entry = { candidate, kinds: new Map() };
      this.#entries.set(candidate.webhookEndpointId, entry);
    }
    this.#news += 1;
    entry.kinds.set(kind, this.#news);
  }
}

/** Each kind gets its part, so that none waits for the end of another; where there is too little, they take turns. */
function divideAmong(kinds: Map<Kind, number>, room: number): [Kind, number][] {
  const given: [Kind, number][] = [];
  let left = room;
  for (const [index, [kind, news]] of [...kinds].entries()) {
    const part = Math.ceil(left / (kinds.size - index));
    if (part === 0) break;
    given.push([kind, part]);
    left -= part;
    // Moves to the end of the queue.
    kinds.delete(kind);
    kinds.set(kind, news);
  }
  return given;
}
