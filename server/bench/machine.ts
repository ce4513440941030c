import { arch, cpus, loadavg, platform, totalmem } from "node:os";

/** Where and when it was measured; figures mean little without. */
export interface Machine {
  date: string;
  node: string;
  platform: string;
  cpu: string;
  cores: number;
  memoryMb: number;
  /** Processes that wanted a CPU during the last minute. */
  loadAverage: number;
}

export function machine(): Machine {
  const all = cpus();
  return {
    date: new Date().toISOString(),
    node: process.versions.node,
    platform: `${platform()} ${arch()}`,
    cpu: all[0]?.model.trim() ?? "unknown CPU",
    cores: all.length,
    memoryMb: Math.round(totalmem() / 1_000_000),
    loadAverage: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}

/** Whether the figures will say more about the machine's other work than about Florin. */
export const isBusy = ({ loadAverage, cores }: Machine): boolean => loadAverage > cores / 4;
