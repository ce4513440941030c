import type { Figure } from "../figure.ts";
import { driveService } from "../load/drive.ts";
import { pgbenchTpcB } from "../yardsticks/pgbench-tpc-b.ts";

export const issue: Figure = {
  name: "issue",
  title: "POST /api/v1/cards/retail, 64 in flight",
  unit: "/s",
  yardstick: pgbenchTpcB,
  target: { bound: "at least", value: 1 },
  measure: async (bench) => {
    const body = JSON.stringify({ customerId: await bench.customer(), initialBalance: 0.01 });
    return driveService(bench, { method: "POST", path: "/cards/retail", body });
  },
};
