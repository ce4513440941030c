import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Cleanup } from "./cleanup.ts";

/** What a child process of the benchmark can do: plain functions, called over its channel. */
export type Role<T> = () => T;
type Method = (...args: never[]) => Promise<unknown>;
type Methods<T> = { [name in keyof T]: Method };

interface Question {
  id: number;
  method: string;
  args: never[];
}
interface Reply {
  id: number;
  value?: unknown;
  error?: string;
}

const ROLE_OPTION = "--role";

/** The benchmark is one bundle; a child runs the same file and is told what it is. */
export function roleOf(argv: readonly string[]): string | undefined {
  return argv[2] === ROLE_OPTION ? argv[3] : undefined;
}

export function playRole(name: string, roles: Record<string, Role<object>>): void {
  const methods = roles[name]?.() as Record<string, Method> | undefined;
  if (methods === undefined) throw new Error(`There is no role '${name}'.`);
  // A terminal's Ctrl-C reaches every process; ours ends when the benchmark lets go of it.
  process.on("SIGINT", () => undefined);
  process.on("disconnect", () => process.exit());
  process.on("message", async ({ id, method, args }: Question) => {
    const reply = await Promise.resolve(methods[method]?.(...args)).then(
      (value): Reply => ({ id, value }),
      (error: unknown): Reply => ({
        id,
        error: error instanceof Error ? error.message : String(error),
      }),
    );
    process.send?.(reply);
  });
}

export interface Child<T extends Methods<T>> {
  pid: number;
  call<K extends keyof T & string>(
    method: K,
    ...args: Parameters<T[K]>
  ): Promise<Awaited<ReturnType<T[K]>>>;
}

export function startRole<T extends Methods<T>>(name: string, cleanup: Cleanup): Child<T> {
  const child = fork(fileURLToPath(import.meta.url), [ROLE_OPTION, name]);
  cleanup.add(async () => {
    child.kill("SIGKILL");
  });
  const ask = asking(name, child);
  return {
    pid: child.pid ?? 0,
    call: (method, ...args) => ask(method, args) as ReturnType<Child<T>["call"]>,
  };
}

/** Sends questions and brings each reply to whoever asked. */
function asking(name: string, child: ChildProcess) {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  child.on("message", ({ id, value, error }: Reply) => {
    const asker = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asker?.resolve(value);
    else asker?.reject(new Error(error));
  });
  child.on("exit", (code, signal) => {
    for (const { reject } of waiting.values()) {
      reject(new Error(`The ${name} process ended (${signal ?? `exit code ${code}`}).`));
    }
  });
  return (method: string, args: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      child.send({ id, method, args }, (error) => error !== null && reject(error));
    });
}
