import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** A pid alone says little, because pids come round again (in containers within seconds). */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

/** A zombie counts as gone: in a container nobody may ever reap it. */
export function identify(pid: number): ProcessIdentity | undefined {
  const [state, startedAt] = process.platform === "linux" ? fromProc(pid) : fromPs(pid);
  if (state === undefined || startedAt === undefined || /^[ZX]/.test(state)) return undefined;
  return { pid, startedAt };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

export function ownIdentity(): ProcessIdentity {
  return identify(process.pid) ?? { pid: process.pid, startedAt: "unknown" };
}

/** The command line with its arguments separated by blanks; empty if it cannot be seen. */
export function commandLine(pid: number): string {
  try {
    return process.platform === "linux"
      ? readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")
      : execFileSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  } catch {
    return "";
  }
}

export async function goneWithin(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(identity)) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

function fromProc(pid: number): string[] {
  try {
    // Of its first thread: an emulator of another processor makes up what a process reads of itself.
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8");
    // The name in parentheses may hold blanks and parentheses, so fields count from its end.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return [fields[0] ?? "", fields[19] ?? ""];
  } catch {
    return [];
  }
}

function fromPs(pid: number): string[] {
  try {
    const arguments_ = ["-o", "stat=,lstart=", "-p", String(pid)];
    const line = execFileSync("ps", arguments_, { encoding: "utf8", env: { LC_ALL: "C" } });
    const [state = "", ...start] = line.trim().split(/\s+/);
    return [state, start.join("-").replaceAll(":", "")];
  } catch {
    return [];
  }
}
