import type { CardWithSecrets } from "@florin/sdk";
import { useEffect, useState } from "react";

export const SHOWN_FOR_S = 30;
const TICK_MS = 1000;

interface Sight {
  secrets: CardWithSecrets;
  untilMs: number;
}

/**
 * Lives in this component's memory only: never in the query cache, and gone when the time is up. It is
 * the time that counts, not how often a timer has ticked: those of a computer that sleeps do not.
 */
export function useSecrets() {
  const [sight, setSight] = useState<Sight>();
  const [secondsLeft, setSecondsLeft] = useState(0);
  useEffect(() => {
    if (sight === undefined) return;
    const look = () => {
      const left = secondsUntil(sight.untilMs, Date.now());
      setSecondsLeft(left);
      if (left === 0) setSight(undefined);
    };
    const timer = setInterval(look, TICK_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [sight]);
  return {
    secrets: sight?.secrets,
    secondsLeft,
    show: (secrets: CardWithSecrets) => {
      setSecondsLeft(SHOWN_FOR_S);
      setSight({ secrets, untilMs: Date.now() + SHOWN_FOR_S * 1000 });
    },
    hide: () => setSight(undefined),
  };
}

/** None is left either if somebody has turned the computer's clock back. */
export function secondsUntil(untilMs: number, nowMs: number): number {
  const left = Math.ceil((untilMs - nowMs) / 1000);
  return left > SHOWN_FOR_S ? 0 : Math.max(left, 0);
}
