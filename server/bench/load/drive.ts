import type { Bench } from "../bench.ts";
import type { Call } from "../client.ts";
import type { Sample } from "../figure.ts";
import { cpuPerItemUs } from "../process-usage.ts";
import type { Order } from "./requests.ts";

export const WARM_UP_SECONDS = 3;

/** Sends one call of the API over and over, as fast as 64 connections get answers. */
export async function driveService(bench: Bench, call: Call): Promise<Sample> {
  const { client, pid } = await bench.service();
  const { postmasterPid } = await bench.database();
  const order = await client.prepare(call);
  return driveLoad(bench, order, { serviceCpuUs: pid, databaseCpuUs: postmasterPid });
}

export async function driveLoad(
  bench: Bench,
  order: Order,
  pids: Record<string, number>,
): Promise<Sample> {
  const generator = await bench.generator();
  const { settle } = await bench.database();
  await settle();
  await generator.call("aim", order);
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
