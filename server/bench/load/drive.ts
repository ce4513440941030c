import type { Bench } from "../bench.ts";
import type { Call } from "../client.ts";
import type { Details, Sample } from "../figure.ts";
import { cpuPerItemUs } from "../process-usage.ts";
import type { Order } from "./requests.ts";

/** V8 goes on compiling what is hot for about that long, on the same two cores; a service runs for weeks. */
export const WARM_UP_SECONDS = 8;
/** What it compiles last is rarely run, but makes the slowest hundredth; and at a steady rate all takes longer. */
export const STEADY_WARM_UP_SECONDS = 20;
const CONNECTIONS = 64;
/** More than are in flight at once while the service keeps up; after that requests wait for their turn. */
const OPEN_LOOP_CONNECTIONS = 256;
/** Below this share of what was offered, the service did not keep up. */
const KEPT_UP = 0.95;

/** Sends calls of the API, drawn at random, as fast as 64 connections get answers. */
export async function driveService(bench: Bench, ...calls: Call[]): Promise<Sample> {
  const { client } = await bench.service();
  return driveOrders(bench, await client.prepare(calls));
}

/** The same for orders of several organizations. */
export async function driveOrders(bench: Bench, orders: Order[]): Promise<Sample> {
  return driveLoad(bench, orders, await servicePids(bench));
}

export async function driveLoad(
  bench: Bench,
  orders: Order[],
  pids: Record<string, number>,
): Promise<Sample> {
  const generator = await bench.generator();
  const { settle } = await bench.database();
  await settle();
  await generator.call("aim", orders, CONNECTIONS);
  const warmUp = await generator.call("run", { seconds: WARM_UP_SECONDS });
  // Signed before the clock starts, with something to spare; what lacks is signed on the way.
  await generator.call("sign", Math.ceil(warmUp.perSecond * bench.seconds * 1.25));
  const { result, cpuUs } = await cpuPerItemUs(
    pids,
    () => generator.call("run", { seconds: bench.seconds }),
    ({ answers }) => answers,
  );
  const { perSecond, p50Ms, p99Ms, loadCpuUs } = result;
  return { value: perSecond, details: { p50Ms, p99Ms, ...cpuUs, loadCpuUs } };
}

/** Sends calls at even intervals whatever the answers. The value is the p99, from when each was due. */
export async function driveOpenLoop(
  bench: Bench,
  calls: Call[],
  perSecond: number,
): Promise<Sample> {
  const { client } = await bench.service();
  const generator = await bench.generator();
  const { settle } = await bench.database();
  const { seconds } = bench;
  await settle();
  await generator.call("aim", await client.prepare(calls), OPEN_LOOP_CONNECTIONS);
  await generator.call("run", { seconds: STEADY_WARM_UP_SECONDS, perSecond });
  await generator.call("sign", Math.ceil(perSecond * seconds));
  const { result, cpuUs } = await cpuPerItemUs(
    await servicePids(bench),
    () => generator.call("run", { seconds, perSecond }),
    ({ answers }) => answers,
  );
  const { p50Ms, sentLateP99Ms, loadCpuUs } = result;
  const load = openLoopSample(perSecond, result);
  return { ...load, details: { p50Ms, sentLateP99Ms, ...load.details, ...cpuUs, loadCpuUs } };
}

/** The p99, with what it was found at; where that was too much, it says so. */
export function openLoopSample(
  offeredPerSecond: number,
  { perSecond, p99Ms }: { perSecond: number; p99Ms: number },
): Sample & { details: Details } {
  const sample = {
    value: p99Ms,
    details: { offeredPerSecond, answeredPerSecond: perSecond },
  };
  if (perSecond >= offeredPerSecond * KEPT_UP) return sample;
  const [offered, answered] = [offeredPerSecond, perSecond].map(Math.round);
  return { ...sample, remark: `only ${answered} of ${offered} a second were answered in time` };
}

async function servicePids(bench: Bench): Promise<Record<string, number>> {
  const { pid } = await bench.service();
  const { postmasterPid } = await bench.database();
  return { serviceCpuUs: pid, databaseCpuUs: postmasterPid };
}
