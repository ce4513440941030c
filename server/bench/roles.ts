import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Channel, type Port } from "../src/foundation/channel.ts";
import type { Cleanup } from "./cleanup.ts";

/** What a child process of the benchmark can do: plain functions, called over its channel. */
export type Role<T> = () => T;

const ROLE_OPTION = "--role";

/** The benchmark is one bundle; a child runs the same file and is told what it is. */
export function roleOf(argv: readonly string[]): string | undefined {
  return argv[2] === ROLE_OPTION ? argv[3] : undefined;
}

export function playRole(name: string, roles: Record<string, Role<object>>): void {
  const functions = roles[name]?.();
  if (functions === undefined) throw new Error(`There is no role '${name}'.`);
  // A terminal's Ctrl-C reaches every process; ours ends when the benchmark lets go of it.
  process.on("SIGINT", () => undefined);
  process.on("disconnect", () => process.exit());
  new Channel(portOf(process), functions);
}

export interface Child<T> {
  pid: number;
  call: Channel<T>["call"];
}

export function startRole<T>(name: string, cleanup: Cleanup): Child<T> {
  const program = fileURLToPath(import.meta.url);
  const child = fork(program, [ROLE_OPTION, name], { serialization: "advanced" });
  cleanup.add(async () => {
    child.kill("SIGKILL");
  });
  const channel = new Channel<T>(portOf(child), {});
  child.on("exit", (code, signal) =>
    channel.close(new Error(`The ${name} process ended (${signal ?? `exit code ${code}`}).`)),
  );
  return { pid: child.pid ?? 0, call: (name, ...args) => channel.call(name, ...args) };
}

/** What joins the benchmark and a child of its. */
function portOf(joined: ChildProcess | NodeJS.Process): Port {
  return {
    // Whoever is gone hears nothing; its end is told to those who wait.
    postMessage: (message) => void joined.send?.(message, undefined, {}, () => undefined),
    on: (event, listener) => joined.on(event, listener),
  };
}
