import { type InteractionTimes, timeInteractions } from "../../../dashboard/bench/interactions.ts";
import { chromiumPath } from "../../../dashboard/test/harness/find-chromium.ts";
import type { Figure, Sample } from "../figure.ts";
import { quantile } from "../statistics.ts";

const ROUNDS = 10;
const ABSENT = "there is no Chromium here; name one in FLORIN_CHROMIUM";

/** From an input to the paint that shows its answer, on a list of 10,000 cards that are in use. */
export const dashboardInteractions: Figure = {
  name: "dashboard-interactions",
  title: "dashboard, input to paint without the service's own time, slowest p95",
  unit: "ms",
  target: { bound: "at most", value: 100 },
  measure: async (bench) => {
    if (chromiumPath === undefined) return { value: Number.NaN, remark: ABSENT };
    await bench.cardsInUse();
    return slowestOf(await timeInteractions(await bench.signedIn(), ROUNDS));
  },
};

const ascending = (a: number, b: number): number => a - b;

function slowestOf(times: InteractionTimes): Sample {
  const details = Object.fromEntries(
    Object.entries(times).map(([name, all]) => [name, quantile(all.sort(ascending), 0.95)]),
  ) as Record<keyof InteractionTimes, number>;
  return { value: Math.max(...Object.values(details)), details };
}
