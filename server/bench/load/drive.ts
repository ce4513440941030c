import type { Bench } from "../bench.ts";
import type { Call } from "../client.ts";
import type { Sample } from "../figure.ts";
import { cpuPerItemUs } from "../process-usage.ts";
import type { Order } from "./requests.ts";

export const WARM_UP_SECONDS = 3;

/** Sends calls of the API, drawn at random, as fast as 64 connections get answers. */
export async function driveService(bench: Bench, ...calls: Call[]): Promise<Sample> {
  const { client } = await bench.service();
  return driveOrders(bench, await client.prepare(calls));
}

/** The same for orders of several organizations. */
export async function driveOrders(bench: Bench, orders: Order[]): Promise<Sample> {
  const { pid } = await bench.service();
  const { postmasterPid } = await bench.database();
  return driveLoad(bench, orders, { serviceCpuUs: pid, databaseCpuUs: postmasterPid });
}

export async function driveLoad(
  bench: Bench,
  orders: Order[],
  pids: Record<string, number>,
): Promise<Sample> {
  const generator = await bench.generator();
  const { settle } = await bench.database();
  await settle();
  await generator.call("aim", orders);
  const warmUp = await generator.call("run", WARM_UP_SECONDS);
  // Signed before the clock starts, with something to spare; what lacks is signed on the way.
  await generator.call("sign", Math.ceil(warmUp.perSecond * bench.seconds * 1.25));
  const { result, cpuUs } = await cpuPerItemUs(
    pids,
    () => generator.call("run", bench.seconds),
    ({ answers }) => answers,
  );
  const { perSecond, p50Ms, p99Ms, loadCpuUs } = result;
  return { value: perSecond, details: { p50Ms, p99Ms, ...cpuUs, loadCpuUs } };
}
