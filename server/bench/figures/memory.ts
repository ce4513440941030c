import type { Figure } from "../figure.ts";
import { driveService } from "../load/drive.ts";
import { peakMemoryMb } from "../process-usage.ts";
import { depositCall } from "./deposit.ts";

export const memory: Figure = {
  name: "memory",
  title: "memory (RSS) of the service under both loads, peak",
  unit: "MB",
  target: { bound: "at most", value: 150 },
  measure: async (bench) => {
    const { pid } = await bench.service();
    const { peakMb } = await peakMemoryMb(pid, async () => {
      await driveService(bench, depositCall);
      await driveService(bench, { method: "GET", path: "/wallets" });
    });
    return { value: peakMb };
  },
};
