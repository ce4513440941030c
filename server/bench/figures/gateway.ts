import type { Bench } from "../bench.ts";
import type { MeasuredFigure, Sample } from "../figure.ts";
import type { AcquirerResult } from "../load/acquirer.ts";
import { openLoopSample, STEADY_WARM_UP_SECONDS, WARM_UP_SECONDS } from "../load/drive.ts";
import { cpuPerItemUs } from "../process-usage.ts";
import { pgbenchTpcB } from "../yardsticks/pgbench-tpc-b.ts";

/** Purchases by ISO 8583 over one connection: as fast as 64 in flight are answered, or at a rate. */
async function measureGateway(
  bench: Bench,
  pace: { perSecond?: number } = {},
): Promise<{ result: AcquirerResult; cpuUs: Record<string, number> }> {
  const { pid, networkPort } = await bench.service();
  const { settle, postmasterPid } = await bench.database();
  const cards = await bench.presentedCards();
  const acquirer = await bench.acquirer();
  const { seconds } = bench;
  await settle();
  await acquirer.call("connect", networkPort, cards);
  const warmUpSeconds = pace.perSecond === undefined ? WARM_UP_SECONDS : STEADY_WARM_UP_SECONDS;
  const warmUp = await acquirer.call("run", { seconds: warmUpSeconds, ...pace });
  await acquirer.call("write", Math.ceil(warmUp.perSecond * seconds * 1.25));
  return cpuPerItemUs(
    { serviceCpuUs: pid, databaseCpuUs: postmasterPid },
    () => acquirer.call("run", { seconds, ...pace }),
    ({ answers }) => answers,
  );
}

export const gateway: MeasuredFigure = {
  name: "gateway",
  title: "ISO 8583 authorizations, one connection, 64 in flight, 10,000 cards",
  unit: "/s",
  yardstick: pgbenchTpcB,
  target: { bound: "at least", value: 2.5, aim: 3.5 },
  measure: async (bench): Promise<Sample> => {
    const { result, cpuUs } = await measureGateway(bench);
    const { perSecond, p50Ms, p99Ms, loadCpuUs } = result;
    return { value: perSecond, details: { p50Ms, p99Ms, ...cpuUs, loadCpuUs } };
  },
};

export const gatewayP99: MeasuredFigure = {
  name: "gateway-p99",
  title: "ISO 8583 authorizations at a steady rate, p99",
  unit: "ms",
  pace: { share: 0.75, of: pgbenchTpcB },
  target: { bound: "at most", value: 10 },
  measure: async (bench, perSecond): Promise<Sample> => {
    const { result, cpuUs } = await measureGateway(bench, { perSecond });
    const { p50Ms, loadCpuUs } = result;
    const load = openLoopSample(perSecond, result);
    return { ...load, details: { p50Ms, ...load.details, ...cpuUs, loadCpuUs } };
  },
};
