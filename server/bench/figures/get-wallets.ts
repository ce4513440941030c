import type { Figure } from "../figure.ts";
import { driveService } from "../load/drive.ts";
import { bareFastify } from "../yardsticks/bare-fastify.ts";

export const getWallets: Figure = {
  name: "get-wallets",
  title: "GET /api/v1/wallets, 64 in flight",
  unit: "/s",
  yardstick: bareFastify,
  target: { bound: "at least", value: 0.33 },
  measure: (bench) => driveService(bench, { method: "GET", path: "/wallets" }),
};
