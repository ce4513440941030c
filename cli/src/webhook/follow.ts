import { setTimeout as pause } from "node:timers/promises";
import { type Event, type Florin, IndeterminateError, type Page } from "@florin/sdk";

const PAGE = 100;
const POLL_MS = 500;
const TROUBLE_PAUSE_MS = 2_000;

interface Following {
  /** Begin with what has happened since then; with what happens now unless given. */
  from?: string;
  signal: AbortSignal;
  /** Told when the service stops answering, and when it answers again. */
  onTrouble(isOver: boolean): void;
}

/** Events in the order of the feed, until the signal ends it. A service that restarts is waited for. */
export async function* followEvents(
  florin: Florin,
  { from, signal, onTrouble }: Following,
): AsyncGenerator<Event, void> {
  const known = new Set<string>();
  const start = from ?? (await noteNewest(florin, known));
  let cursor: string | undefined;
  let isTroubled = false;
  while (!signal.aborted) {
    const page = await readPage(florin, start, cursor);
    if ((page === undefined) !== isTroubled) {
      isTroubled = page === undefined;
      onTrouble(!isTroubled);
    }
    for (const event of page?.data ?? []) {
      if (!known.has(event.eventId)) yield event;
    }
    cursor = page?.nextCursor ?? cursor;
    if (page?.data.length === 0) await rest(POLL_MS, signal);
    if (page === undefined) await rest(TROUBLE_PAUSE_MS, signal);
  }
}

/** Nothing if the service does not answer: the same cursor leads on when it does. */
async function readPage(
  florin: Florin,
  from: string | undefined,
  cursor: string | undefined,
): Promise<Page<Event> | undefined> {
  try {
    return await florin.events.list({ order: "asc", from, cursor, limit: PAGE }).page();
  } catch (error) {
    if (error instanceof IndeterminateError) return undefined;
    throw error;
  }
}

/** Where "now" is for a service whose clock may have been moved: at the newest event that there is. */
async function noteNewest(florin: Florin, known: Set<string>): Promise<string | undefined> {
  const { data } = await florin.events.list({ limit: PAGE }).page();
  for (const { eventId } of data) known.add(eventId);
  return data[0]?.createdAt;
}

const rest = (ms: number, signal: AbortSignal): Promise<unknown> =>
  pause(ms, undefined, { signal }).catch(() => undefined);
