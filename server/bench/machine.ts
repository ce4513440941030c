import { arch, cpus, loadavg, platform, totalmem } from "node:os";
import { measureSyncUs } from "./disk.ts";

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
  /** How long the disk takes to keep what was written, in microseconds. */
  syncUs: number;
}

export async function machine(): Promise<Machine> {
  const all = cpus();
  return {
    date: new Date().toISOString(),
    node: process.versions.node,
    platform: `${platform()} ${arch()}`,
    cpu: all[0]?.model.trim() ?? "unknown CPU",
    cores: all.length,
    memoryMb: Math.round(totalmem() / 1_000_000),
    loadAverage: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    syncUs: await measureSyncUs(),
  };
}

/** Whether the figures will say more about the machine's other work than about Florin. */
export const isBusy = ({ loadAverage, cores }: Machine): boolean => loadAverage > cores / 4;
