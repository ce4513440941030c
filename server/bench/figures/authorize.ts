import type { Bench } from "../bench.ts";
import type { Figure, Sample, Yardstick } from "../figure.ts";
import { driveService } from "../load/drive.ts";
import { cpuPerItemUs } from "../process-usage.ts";
import { pgbenchTpcB } from "../yardsticks/pgbench-tpc-b.ts";

const WARM_UP_SECONDS = 3;

/** Straight into the engine, in a process of its own, without HTTP. */
async function measureInProcess(bench: Bench, cardCount?: number): Promise<Sample> {
  const cards = await bench.cards();
  const { settle, url, postmasterPid } = await bench.database();
  const authorizer = await bench.authorizer();
  await settle();
  const organizationId = await bench.organizationId();
  await authorizer.call("open", url, organizationId, cards.slice(0, cardCount));
  await authorizer.call("run", WARM_UP_SECONDS);
  const pids = { serviceCpuUs: authorizer.pid, databaseCpuUs: postmasterPid };
  const { result, cpuUs } = await cpuPerItemUs(
    pids,
    () => authorizer.call("run", bench.seconds),
    ({ answers }) => answers,
  );
  const { perSecond, p50Ms, p99Ms } = result;
  return { value: perSecond, details: { p50Ms, p99Ms, ...cpuUs } };
}

export const authorize: Figure = {
  name: "authorize",
  title: "authorizations inside the process, 64 in flight, 10,000 cards",
  unit: "/s",
  yardstick: pgbenchTpcB,
  target: { bound: "at least", value: 4, aim: 5.5 },
  measure: (bench) => measureInProcess(bench),
};

const uniform: Yardstick = {
  name: "authorize-uniform",
  title: "authorizations on 10,000 cards",
  unit: "/s",
  measure: (bench) => measureInProcess(bench),
};

export const authorizeHotCard: Figure = {
  name: "authorize-hot-card",
  title: "the same, all on one card",
  unit: "/s",
  yardstick: uniform,
  target: { bound: "at least", value: 0.9, aim: 1 },
  measure: (bench) => measureInProcess(bench, 1),
};

export const authorizeHttp: Figure = {
  name: "authorize-http",
  title: "POST /api/v1/simulator/authorizations, 64 in flight, 10,000 cards",
  unit: "/s",
  yardstick: pgbenchTpcB,
  target: { bound: "at least", value: 1.8, aim: 2.3 },
  measure: async (bench) => {
    const calls = (await bench.cards()).map(({ cardId }) => ({
      method: "POST",
      path: "/simulator/authorizations",
      body: JSON.stringify({ cardId, amount: 1.25 }),
    }));
    return driveService(bench, ...calls);
  },
};
