import { useEffect } from "react";
import { refresh } from "../api/queries.ts";
import { EVENT_TYPES } from "../events/types.ts";
import { staleAfter } from "./stale.ts";

const GATHER_MS = 400;

/** Keeps what is on the screen true without a reload; a burst of events asks once. */
export function useLive(): void {
  useEffect(() => {
    const stale = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const source = new EventSource("/dashboard/live");
    const flush = () => {
      timer = undefined;
      void refresh(...stale);
      stale.clear();
    };
    const note = (prefixes: string[]) => {
      for (const prefix of prefixes) stale.add(prefix);
      timer ??= setTimeout(flush, GATHER_MS);
    };
    for (const type of EVENT_TYPES) source.addEventListener(type, () => note(staleAfter(type)));
    // Whatever happened while the line was down is asked for again.
    let wasDown = false;
    source.onerror = () => {
      wasDown = true;
    };
    source.onopen = () => {
      if (wasDown) note(["/api/v1", "/dashboard/home"]);
      wasDown = false;
    };
    return () => {
      source.close();
      clearTimeout(timer);
    };
  }, []);
}
