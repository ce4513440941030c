import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { collectGarbage } from "./garbage.ts";

/** Linux counts CPU time for users in hundredths, whatever its own clock does. */
const TICKS_PER_SECOND = 100;
const UTIME = 11;
const STIME = 12;
const CUTIME = 13;
const CSTIME = 14;

const SAMPLING_MS = 100;
const MB = 1_000_000;

const hasProc = process.platform === "linux";

/** Runs work and divides the CPU time it took in each process tree by the items it got done. */
export async function cpuPerItemUs<T>(
  pids: Record<string, number>,
  work: () => Promise<T>,
  itemsOf: (result: T) => number,
): Promise<{ result: T; cpuUs: Record<string, number> }> {
  const names = hasProc ? Object.keys(pids) : [];
  const look = (): number[] => names.map((name) => treeCpuSeconds(pids[name] ?? 0));
  collectGarbage();
  const before = look();
  const result = await work();
  const used = look().map((after, n) => after - (before[n] ?? 0));
  const perItem = used.map((seconds) => (seconds * 1_000_000) / itemsOf(result));
  return { result, cpuUs: Object.fromEntries(names.map((name, n) => [name, perItem[n] ?? 0])) };
}

/**
 * A process with its children, those that have ended included. Whoever ends while they are counted would be
 * missed, as its time moves to its parent, so they are counted until nobody has.
 */
function treeCpuSeconds(pid: number): number {
  for (let listed = childrenOf(pid); ; ) {
    const [user, system, endedUser, endedSystem] = readTicks(pid);
    const ticks = listed
      .map(readTicks)
      .reduce(
        (sum, [childUser, childSystem]) => sum + childUser + childSystem,
        user + system + endedUser + endedSystem,
      );
    const now = childrenOf(pid);
    if (now.join() === listed.join()) return ticks / TICKS_PER_SECOND;
    listed = now;
  }
}

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return children === "" ? [] : children.split(" ").map(Number);
}

function readTicks(pid: number): [number, number, number, number] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name stands in parentheses and may contain anything, spaces and parentheses too.
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const at = (index: number): number => fields[index] ?? 0;
    return [at(UTIME), at(STIME), at(CUTIME), at(CSTIME)];
  } catch {
    // It ended since it was listed; its time is then among its parent's.
    return [0, 0, 0, 0];
  }
}

/** Runs work and finds the most memory that a process has resident meanwhile. */
export async function peakMemoryMb<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ result: T; peakMb: number }> {
  let peakBytes = 0;
  const look = (): void => {
    peakBytes = Math.max(peakBytes, rssBytes(pid));
  };
  const sampling = setInterval(look, SAMPLING_MS);
  try {
    const result = await work();
    look();
    return { result, peakMb: peakBytes / MB };
  } finally {
    clearInterval(sampling);
  }
}

function rssBytes(pid: number): number {
  const kilobytes = hasProc
    ? /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
    : execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Number(kilobytes) * 1024;
}
