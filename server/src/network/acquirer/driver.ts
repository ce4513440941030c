import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Message } from "../iso8583/fields.ts";
import type { AcquirerConnection } from "./connection.ts";

export interface Drive {
  connection: AcquirerConnection;
  /** Messages under way at once. */
  inFlight: number;
  /** At most so many a second; none: as fast as they are answered. */
  ratePerS?: number | undefined;
  /** Ends it early: what is under way is still waited for. */
  stop?: AbortSignal | undefined;
  /** Gives the next message; nothing: that was all. */
  next(): Message | undefined;
  onAnswer(request: Message, answer: Message, ms: number): void;
  onNoAnswer(request: Message, error: unknown): void;
}

/**
 * Keeps a number of messages under way on one connection until there are no more, and all are answered, or
 * until the connection is lost.
 */
export async function drive(options: Drive): Promise<void> {
  const { connection, inFlight, stop } = options;
  const end = new AbortController();
  const over = stop === undefined ? end.signal : AbortSignal.any([stop, end.signal]);
  // Node takes more than ten that wait for one signal for a leak, and says so.
  setMaxListeners(inFlight, over);
  const turn = pacer(options.ratePerS, over);
  const isOver = () => !connection.isOpen || over.aborted;
  const sender = async (): Promise<void> => {
    while (!isOver()) {
      await turn();
      // Only now: by the time of its turn it may be too late for another message.
      const message = isOver() ? undefined : options.next();
      if (message === undefined) end.abort();
      else await exchange(options, message);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, sender));
}

async function exchange(
  { connection, onAnswer, onNoAnswer }: Drive,
  message: Message,
): Promise<void> {
  const startedMs = performance.now();
  try {
    const answer = await connection.ask(message);
    onAnswer(message, answer, performance.now() - startedMs);
  } catch (error) {
    onNoAnswer(message, error);
  }
}

/** Spaces messages evenly, from the first, which goes at once. */
function pacer(ratePerS: number | undefined, over: AbortSignal): () => Promise<void> {
  if (ratePerS === undefined) return async () => undefined;
  let dueMs = Number.NEGATIVE_INFINITY;
  return async () => {
    // Time that was lost is not made up for, or a stall would end in a burst.
    dueMs = Math.max(dueMs + 1_000 / ratePerS, performance.now());
    await waitUntil(dueMs, over);
  };
}

async function waitUntil(dueMs: number, over: AbortSignal): Promise<void> {
  let leftMs = dueMs - performance.now();
  // Timers count whole milliseconds and fire a little too early: the last perhaps just before the time is over.
  while (leftMs > 0 && !over.aborted) {
    await pause(leftMs, undefined, { signal: over }).catch(() => undefined);
    leftMs = dueMs - performance.now();
  }
}
