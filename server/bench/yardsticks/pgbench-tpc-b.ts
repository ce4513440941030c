import type { Yardstick } from "../figure.ts";
import { findPgbench } from "../pgbench.ts";
import { cpuPerItemUs } from "../process-usage.ts";

const WARM_UP_SECONDS = 2;

/** PostgreSQL's own measure of small transactions, on the very server that the service uses. */
export const pgbenchTpcB: Yardstick = {
  name: "pgbench",
  title: "pgbench TPC-B",
  unit: "/s",
  missing: async () =>
    (await findPgbench()) === undefined
      ? "pgbench is not installed (Debian: apt install postgresql)"
      : undefined,
  measure: async (bench) => {
    const pgbench = await bench.pgbench();
    const database = await bench.database();
    await database.settle();
    await pgbench.run(WARM_UP_SECONDS);
    const { result, cpuUs } = await cpuPerItemUs(
      { databaseCpuUs: database.postmasterPid },
      () => pgbench.run(bench.seconds),
      ({ perSecond }) => perSecond * bench.seconds,
    );
    return { value: result.perSecond, details: { averageMs: result.averageMs, ...cpuUs } };
  },
};
