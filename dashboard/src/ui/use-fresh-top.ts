import { useEffect, useRef } from "react";
import type { ListKey } from "../api/pages.ts";
import { refreshList } from "../api/queries.ts";

const ASK_AGAIN_MS = 4_000;
const NEAR_TOP_PX = 200;
/** Asking must not keep the session of somebody alive who has gone away. */
const GONE_AFTER_MS = 5 * 60_000;
const SIGNS_OF_LIFE = ["pointermove", "pointerdown", "keydown", "wheel"] as const;

/** For lists that no event tells of: they are asked for again while somebody looks at their top. */
export function useFreshTop(key: ListKey): void {
  const latest = useRef(key);
  latest.current = key;
  useEffect(() => {
    let seenMs = Date.now();
    let isAsking = false;
    const note = () => {
      seenMs = Date.now();
    };
    const look = async () => {
      const isSeen =
        document.visibilityState === "visible" &&
        window.scrollY < NEAR_TOP_PX &&
        Date.now() - seenMs < GONE_AFTER_MS;
      if (isAsking || !isSeen) return;
      isAsking = true;
      await refreshList(latest.current).catch(() => undefined);
      isAsking = false;
    };
    const timer = setInterval(() => void look(), ASK_AGAIN_MS);
    for (const sign of SIGNS_OF_LIFE) window.addEventListener(sign, note, { passive: true });
    return () => {
      clearInterval(timer);
      for (const sign of SIGNS_OF_LIFE) window.removeEventListener(sign, note);
    };
  }, []);
}
