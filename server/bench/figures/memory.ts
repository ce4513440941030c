import type { Figure } from "../figure.ts";
import { driveService } from "../load/drive.ts";
import { rssBytes } from "../process-usage.ts";
import { depositCall } from "./deposit.ts";

const SAMPLING_MS = 100;
const MB = 1_000_000;

export const memory: Figure = {
  name: "memory",
  title: "memory (RSS) of the service under both loads, peak",
  unit: "MB",
  target: { bound: "at most", value: 150 },
  measure: async (bench) => {
    const { pid } = await bench.service();
    let peak = 0;
    const look = (): void => {
      peak = Math.max(peak, rssBytes(pid));
    };
    const sampling = setInterval(look, SAMPLING_MS);
    try {
      await driveService(bench, depositCall);
      await driveService(bench, { method: "GET", path: "/wallets" });
    } finally {
      clearInterval(sampling);
    }
    return { value: peak / MB };
  },
};
