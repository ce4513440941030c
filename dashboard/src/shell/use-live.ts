import { useEffect } from "react";
import { session } from "../api/client.ts";
import { refresh } from "../api/queries.ts";
import { EVENT_TYPES } from "../events/types.ts";
import { gather } from "./gather.ts";
import { DELIVERIES, staleAfter } from "./stale.ts";

const GATHER_MS = 400;
const GATHER_DELIVERIES_MS = 4000;
const COME_BACK_MS = 5000;

/** Keeps what is on the screen true without a reload; a burst of events asks once. */
export function useLive(): void {
  useEffect(() => {
    const ask = (prefixes: string[]) => void refresh(...prefixes);
    const stale = gather(GATHER_MS, ask);
    const staleDeliveries = gather(GATHER_DELIVERIES_MS, ask);
    const note = (prefixes: string[]) => {
      stale.add(prefixes);
      staleDeliveries.add([DELIVERIES]);
    };
    let wasDown = false;
    const open = () => {
      const source = new EventSource("/dashboard/live");
      for (const type of EVENT_TYPES) source.addEventListener(type, () => note(staleAfter(type)));
      source.onopen = () => {
        // The line may have ended because somebody else has logged in, in another tab.
        if (wasDown) void session.refresh();
        wasDown = false;
        // What was asked for before the line was there may have changed since, and nobody told.
        note(["/api/v1", "/dashboard/home"]);
      };
      source.onerror = () => {
        // Refused, the browser gives up; cut off, it tries again after a while.
        const isRefused = source.readyState === EventSource.CLOSED;
        // Either the session is over, or the service was away for a moment: which it was is asked at once.
        if (isRefused || !wasDown) session.ended();
        wasDown = true;
        if (!isRefused) return;
        again = setTimeout(() => {
          line = open();
        }, COME_BACK_MS);
      };
      return source;
    };
    let again: ReturnType<typeof setTimeout> | undefined;
    let line = open();
    return () => {
      line.close();
      stale.stop();
      staleDeliveries.stop();
      clearTimeout(again);
    };
  }, []);
}
