import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import type { MeasuredFigure, Sample, SeenFigure, Yardstick } from "../figure.ts";
import { driveOpenLoop, WARM_UP_SECONDS } from "../load/drive.ts";
import { OpenLoop } from "../load/schedule.ts";
import { type ToldPurchase, tellPurchase, whileListening } from "../load/webhooks.ts";
import { cpuPerItemUs, peakMemoryMb } from "../process-usage.ts";
import { seedEvents } from "../seed/events.ts";
import { quantile } from "../statistics.ts";
import { pgbenchTpcB } from "../yardsticks/pgbench-tpc-b.ts";
import { measureHttp, purchaseWith } from "./authorize.ts";
import { depositCall } from "./deposit.ts";

const LONGEST_PAUSE_MS = 100;
const BACKLOG = 150_000;
/** Lasts while purchases are warmed up and measured. */
const LONG_BACKLOG = 250_000;
const PURCHASES_PER_SECOND = 1_000;
const DELIVERIES_PER_SECOND = 1_000;
const EVENTS_AT_ONCE = 50;
const POLL_MS = 5;
/** Below this share of what was to go out, the comparison is not the one that was meant. */
const KEPT_UP = 0.95;
const RUN_OUT = "the backlog ran out before the sample was over";

/**
 * One event at a time while nothing else goes on. Counted from the event's own time, which is when it was
 * decided, a little before its commit, until its delivery begins to arrive.
 */
export const deliveryP50: MeasuredFigure = {
  name: "delivery-p50",
  title: "an event to the start of its delivery, one at a time, p50",
  unit: "ms",
  target: { bound: "at most", value: 20 },
  measure: (bench) =>
    whileListening(bench, async () => {
      const { client } = await bench.listeningTenant();
      const { call } = await bench.receiver();
      const [order] = await client.prepare([depositCall]);
      if (order === undefined) throw new Error("There is no call.");
      const delaysMs: number[] = [];
      const endMs = performance.now() + bench.seconds * 1_000;
      while (performance.now() < endMs) {
        // Never in step with what the service does now and then by itself.
        await sleep(Math.random() * LONGEST_PAUSE_MS);
        const [delayMs] = await Promise.all([call("nextDelay"), client.send(order)]);
        delaysMs.push(delayMs);
      }
      delaysMs.sort((a, b) => a - b);
      return { value: quantile(delaysMs, 0.5), details: { p99Ms: quantile(delaysMs, 0.99) } };
    }),
};

export const deliveryP99: SeenFigure = {
  name: "delivery-p99",
  title: "an event to the start of its delivery, one at a time, p99",
  unit: "ms",
  target: { bound: "at most", value: 100 },
  seenIn: deliveryP50,
  read: ({ sample }) => ({ sample: { value: sample.details?.p99Ms ?? Number.NaN } }),
};

export const deliveries: MeasuredFigure = {
  name: "deliveries",
  title: "deliveries to one endpoint, backlog of 150,000",
  unit: "/s",
  yardstick: pgbenchTpcB,
  target: { bound: "at least", value: 1 },
  measure: async (bench) => {
    const { pid } = await bench.service();
    const { settle, postmasterPid } = await bench.database();
    const { organizationId } = await bench.listeningTenant();
    const told = await tellPurchase(bench);
    const { call } = await bench.receiver();
    return whileListening(bench, async () => {
      const before = await call("count");
      await seedEvents(await bench.pool(), organizationId, BACKLOG, told);
      await settle();
      const pids = { serviceCpuUs: pid, databaseCpuUs: postmasterPid };
      const { result, peakMb } = await peakMemoryMb(pid, async () => {
        await sleep(WARM_UP_SECONDS * 1_000);
        return cpuPerItemUs(
          pids,
          () => countDeliveries(bench, () => sleep(bench.seconds * 1_000)),
          ({ count }) => count,
        );
      });
      const hasRunOut = (await call("count")) - before >= BACKLOG;
      return {
        value: result.result.perSecond,
        details: { ...result.cpuUs, peakMb },
        ...(hasRunOut ? { remark: RUN_OUT } : {}),
      };
    });
  },
};

export const backlogMemory: SeenFigure = {
  name: "backlog-memory",
  title: "memory (RSS) of the service while that backlog is drained, peak",
  unit: "MB",
  target: { bound: "at most", value: 250 },
  seenIn: deliveries,
  read: ({ sample }) => ({ sample: { value: sample.details?.peakMb ?? Number.NaN } }),
};

interface Counted<T> {
  result: T;
  count: number;
  perSecond: number;
}

/** How many deliveries arrive while some work is done. */
async function countDeliveries<T>(bench: Bench, work: () => Promise<T>): Promise<Counted<T>> {
  const { call } = await bench.receiver();
  const before = await call("count");
  const startMs = performance.now();
  const result = await work();
  const count = (await call("count")) - before;
  return { result, count, perSecond: (count * 1_000) / (performance.now() - startMs) };
}

/** Purchases while others tell of as many events, which are written either way. */
async function measureBesideEvents(bench: Bench): Promise<Sample> {
  const source = tellSteadily(bench, await tellPurchase(bench));
  return measureHttp(bench).finally(source.stop);
}

const withoutDeliveries: Yardstick = {
  name: "authorize-without-deliveries",
  title: "while nobody is told of these events",
  unit: "/s",
  measure: measureBesideEvents,
};

export const authorizeWithDeliveries: MeasuredFigure = {
  name: "authorize-with-deliveries",
  title: "POST /api/v1/simulator/authorizations while 1,000 deliveries/s go out",
  unit: "/s",
  yardstick: withoutDeliveries,
  target: { bound: "at least", value: 0.9 },
  measure: (bench) =>
    whileListening(bench, async () => {
      const counted = await countDeliveries(bench, () => measureBesideEvents(bench));
      const { perSecond } = counted;
      if (perSecond >= DELIVERIES_PER_SECOND * KEPT_UP) return withDeliveries(counted);
      const remark = `only ${Math.round(perSecond)} deliveries a second went out`;
      return { ...withDeliveries(counted), remark };
    }),
};

/** As many as are offered, where the service keeps up; their p99 is among the details. */
async function measureSteadily(bench: Bench): Promise<Sample> {
  const calls = (await bench.cards()).map(purchaseWith);
  const { value, details } = await driveOpenLoop(bench, calls, PURCHASES_PER_SECOND);
  return {
    value: details?.answeredPerSecond ?? Number.NaN,
    details: { ...details, p99Ms: value },
  };
}

const withoutBacklog: Yardstick = {
  name: "authorize-without-backlog",
  title: "without a backlog",
  unit: "/s",
  measure: measureSteadily,
};

/** What a receiver that comes back does to everybody else: its backlog is drained by the same two cores. */
export const authorizeBesideBacklog: MeasuredFigure = {
  name: "authorize-beside-backlog",
  title: "authorizations answered of 1,000/s while a backlog of deliveries is drained",
  unit: "/s",
  yardstick: withoutBacklog,
  target: { bound: "at least", value: 0.9 },
  measure: async (bench) => {
    const told = await tellPurchase(bench);
    const { organizationId } = await bench.listeningTenant();
    const { call } = await bench.receiver();
    return whileListening(bench, async () => {
      const before = await call("count");
      await seedEvents(await bench.pool(), organizationId, LONG_BACKLOG, told);
      const counted = await countDeliveries(bench, () => measureSteadily(bench));
      const hasRunOut = (await call("count")) - before >= LONG_BACKLOG;
      return { ...withDeliveries(counted), ...(hasRunOut ? { remark: RUN_OUT } : {}) };
    });
  },
};

/** Events at a steady rate, written beside the service. */
function tellSteadily(bench: Bench, told: ToldPurchase): { stop(): Promise<void> } {
  const perSecond = DELIVERIES_PER_SECOND / EVENTS_AT_ONCE;
  const loop = new OpenLoop(performance.now(), { perSecond, seconds: Number.POSITIVE_INFINITY });
  let isStopped = false;
  const tell = async (): Promise<void> => {
    const pool = await bench.pool();
    const { organizationId } = await bench.listeningTenant();
    while (!isStopped) {
      const isDue = loop.take(performance.now()) !== undefined;
      if (isDue) await seedEvents(pool, organizationId, EVENTS_AT_ONCE, told);
      else await sleep(POLL_MS);
    }
  };
  const telling = tell();
  // Whoever stops it hears of it.
  telling.catch(() => undefined);
  const stop = (): Promise<void> => {
    isStopped = true;
    return telling;
  };
  return { stop };
}

const withDeliveries = ({ result: sample, perSecond }: Counted<Sample>): Sample => ({
  ...sample,
  details: { ...sample.details, deliveriesPerSecond: perSecond },
});
