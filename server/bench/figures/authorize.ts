import type { Bench } from "../bench.ts";
import type { Call } from "../client.ts";
import { settle } from "../database.ts";
import type { Details, MeasuredFigure, Named, Sample, SeenFigure, Yardstick } from "../figure.ts";
import { driveOpenLoop, driveService, WARM_UP_SECONDS } from "../load/drive.ts";
import { cpuPerItemUs } from "../process-usage.ts";
import type { CardStock } from "../seed/fresh-database.ts";
import { pgbenchTpcB } from "../yardsticks/pgbench-tpc-b.ts";

/** Straight into the engine, in a process of its own, without HTTP. */
async function measureInProcess(
  bench: Bench,
  { url, organizationId, cards }: CardStock,
): Promise<Sample> {
  const { postmasterPid } = await bench.database();
  const authorizer = await bench.authorizer();
  await settle(url);
  await authorizer.call("open", url, organizationId, cards);
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

async function sandboxStock(bench: Bench, cardCount?: number): Promise<CardStock> {
  const { url } = await bench.database();
  const cards = (await bench.cards()).slice(0, cardCount);
  return { url, organizationId: await bench.organizationId(), cards };
}

export const authorize: MeasuredFigure = {
  name: "authorize",
  title: "authorizations inside the process, 64 in flight, 10,000 cards",
  unit: "/s",
  yardstick: pgbenchTpcB,
  target: { bound: "at least", value: 4, aim: 5.5 },
  measure: async (bench) => measureInProcess(bench, await sandboxStock(bench)),
};

const pgbenchCpu: Named = { name: "pgbench-cpu", title: "pgbench TPC-B, database", unit: "µs" };

export const authorizeCpu: SeenFigure = {
  name: "authorize-cpu",
  title: "CPU time of an authorization, service and database",
  unit: "µs",
  yardstick: pgbenchCpu,
  target: { bound: "at most", value: 0.25, aim: 0.17 },
  seenIn: authorize,
  read: ({ sample, yardstick }) => ({
    sample: cpuSample(sample, "serviceCpuUs", "databaseCpuUs"),
    ...(yardstick && { yardstick: cpuSample(yardstick, "databaseCpuUs") }),
  }),
};

/** Not a number where the system does not tell. */
const cpuSample = ({ details }: Sample, ...names: (keyof Details)[]): Sample => ({
  value: names.reduce((sum, name) => sum + (details?.[name] ?? Number.NaN), 0),
});

const uniform: Yardstick = {
  name: "authorize-uniform",
  title: "on 10,000 cards",
  unit: "/s",
  measure: async (bench) => measureInProcess(bench, await sandboxStock(bench)),
};

export const authorizeHotCard: MeasuredFigure = {
  name: "authorize-hot-card",
  title: "authorizations, all on one card",
  unit: "/s",
  yardstick: uniform,
  target: { bound: "at least", value: 0.9, aim: 1 },
  measure: async (bench) => measureInProcess(bench, await sandboxStock(bench, 1)),
};

const fresh: Yardstick = {
  name: "authorize-fresh",
  title: "in a fresh database",
  unit: "/s",
  measure: async (bench) => measureInProcess(bench, await bench.freshStock()),
};

export const authorizeGrown: MeasuredFigure = {
  name: "authorize-grown",
  title: "authorizations among 1,000,000 cards, 4,000,000 transactions",
  unit: "/s",
  yardstick: fresh,
  target: { bound: "at least", value: 0.85, aim: 0.95 },
  measure: async (bench) => measureInProcess(bench, await bench.grownStock()),
};

export const purchaseWith = ({ cardId }: { cardId: string }): Call => ({
  method: "POST",
  path: "/simulator/authorizations",
  body: JSON.stringify({ cardId, amount: 1.25 }),
});

export const measureHttp = async (bench: Bench): Promise<Sample> =>
  driveService(bench, ...(await bench.cards()).map(purchaseWith));

export const authorizeHttp: MeasuredFigure = {
  name: "authorize-http",
  title: "POST /api/v1/simulator/authorizations, 64 in flight, 10,000 cards",
  unit: "/s",
  yardstick: pgbenchTpcB,
  target: { bound: "at least", value: 1.8, aim: 2.3 },
  measure: measureHttp,
};

export const authorizeP99: MeasuredFigure = {
  name: "authorize-p99",
  title: "POST /api/v1/simulator/authorizations at a steady rate, p99",
  unit: "ms",
  pace: { share: 0.75, of: pgbenchTpcB },
  target: { bound: "at most", value: 15, aim: 10 },
  measure: async (bench, perSecond) =>
    driveOpenLoop(bench, (await bench.cards()).map(purchaseWith), perSecond),
};
