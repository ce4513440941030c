import type { Figure } from "../figure.ts";
import { driveService } from "../load/drive.ts";
import { pgbenchTpcB } from "../yardsticks/pgbench-tpc-b.ts";

const body = JSON.stringify({ currency: "USD", amount: 1.25 });

export const depositCall = { method: "POST", path: "/simulator/wallets/deposits", body };

export const deposit: Figure = {
  name: "deposit",
  title: "POST /api/v1/simulator/wallets/deposits, 64 in flight",
  unit: "/s",
  yardstick: pgbenchTpcB,
  target: { bound: "at least", value: 1.6, aim: 2 },
  measure: (bench) => driveService(bench, depositCall),
};
