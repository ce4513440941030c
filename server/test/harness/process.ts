import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { stopAbandoned } from "../../src/db/embedded/embedded.ts";
import { ApiClient, type SandboxFile } from "./api-client.ts";
import { eventually, until } from "./eventually.ts";

/** Found by its lockfile, because this code also runs as part of a bundle. */
export const projectRoot = rootAbove(dirname(fileURLToPath(import.meta.url)));

function rootAbove(folder: string): string {
  const isRoot = existsSync(join(folder, "package-lock.json")) || dirname(folder) === folder;
  return isRoot ? folder : rootAbove(dirname(folder));
}

const LAST_WORDS_MS = 1_000;
const dist = join(projectRoot, "server", "dist");

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A program that a test has started, with all that it has said. */
export interface Program {
  readonly pid: number;
  readonly stdout: string;
  readonly stderr: string;
  /** When it has ended and said its last words. */
  readonly exited: Promise<Exit>;
  readonly hasExited: boolean;
  kill(signal: NodeJS.Signals): void;
  /** To the program and all that it started, as a terminal's Ctrl-C. */
  killGroup(signal: NodeJS.Signals): void;
}

/** The built service as a process of its own. */
export interface ServiceProcess extends Program {
  readonly sandbox: SandboxFile;
  readonly client: ApiClient;
}

const programs = new Set<Program>();
const dataDirs = new Set<string>();

export function newDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), "florin-process-"));
  dataDirs.add(dataDir);
  return dataDir;
}

/** Ends what the tests left running. */
export async function endPrograms(): Promise<void> {
  for (const program of programs) {
    try {
      program.killGroup("SIGKILL");
    } catch {
      // Nobody of it is left.
    }
    await program.exited;
  }
  programs.clear();
  for (const dataDir of dataDirs) {
    if (!existsSync(dataDir)) continue;
    await until("the embedded database is gone", () => stopAbandoned(dataDir));
  }
}

/** Ends what the tests left running, and removes what they left lying. */
export async function cleanUp(): Promise<void> {
  await endPrograms();
  for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true });
  dataDirs.clear();
}

/** A service on free ports. Its database is the embedded one unless `environment` names another. */
export function quietEnvironment(dataDir: string): Record<string, string> {
  return {
    FLORIN_DATA_DIR: dataDir,
    FLORIN_API_PORT: "0",
    FLORIN_IDENTITY_PORT: "0",
    FLORIN_NETWORK_PORT: "0",
    FLORIN_DASHBOARD_PORT: "0",
    FLORIN_LOG_LEVEL: "error",
    FLORIN_RATE_LIMIT_RPS: "0",
    FLORIN_ADDRESS_RATE_LIMIT_RPS: "0",
  };
}

/** Starts the built service and waits until it says that it is ready. */
export async function startServiceProcess(
  environment: Record<string, string>,
): Promise<ServiceProcess> {
  return untilReady(launch(environment), environment);
}

/** Starts the built service, and does not wait. */
export function launch(environment: Record<string, string>, args: string[] = []): Program {
  return start(process.execPath, ["--enable-source-maps", built("main.js"), ...args], environment);
}

/** Waits for the sandbox.json of this start, and for the service's own word. */
export async function untilReady(
  program: Program,
  { FLORIN_DATA_DIR: dataDir = "" }: Record<string, string>,
): Promise<ServiceProcess> {
  const file = join(dataDir, "sandbox.json");
  const before = existsSync(file) ? statSync(file).ino : undefined;
  const sandbox = await eventually(`the service is ready\n${program.stderr}`, async () => {
    if (program.hasExited) return null;
    if (!existsSync(file) || statSync(file).ino === before) return undefined;
    const content = JSON.parse(readFileSync(file, "utf8")) as SandboxFile;
    const { ok } = await fetch(`${content.apiUrl}/readyz`);
    return ok ? content : undefined;
  });
  if (sandbox === null) throw new Error(`The service did not start:\n${program.stderr}`);
  return Object.assign(Object.create(program), { sandbox, client: new ApiClient(sandbox) });
}

/** Starts a command of the built `florin`, and does not wait. */
export const launchFlorin = (args: string[], environment: Record<string, string>): Program =>
  start(process.execPath, [built("florin.js"), ...args], environment);

/** Runs one to its end. */
export async function florin(
  args: string[],
  environment: Record<string, string>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const program = launchFlorin(args, environment);
  const { code } = await program.exited;
  const { stdout, stderr } = program;
  return { code, stdout, stderr };
}

/** Starts any program in the project's directory, at the head of a group of its own. */
export function start(
  command: string,
  args: string[],
  environment: Record<string, string>,
): Program {
  const child = spawn(command, args, {
    cwd: projectRoot,
    env: { ...inherited(), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const program = new Running(child);
  programs.add(program);
  return program;
}

class Running implements Program {
  stdout = "";
  stderr = "";
  hasExited = false;
  readonly pid: number;
  readonly exited: Promise<Exit>;

  constructor(child: ChildProcess) {
    this.pid = child.pid ?? 0;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    const closed = once(child, "close");
    this.exited = once(child, "exit").then(async ([code, signal]) => {
      // Its last words may still be on their way; whatever it left behind may keep its output open.
      await Promise.race([closed, pause(LAST_WORDS_MS)]);
      this.hasExited = true;
      return { code, signal };
    });
  }

  kill(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  killGroup(signal: NodeJS.Signals): void {
    process.kill(-this.pid, signal);
  }
}

/** The environment of whoever runs the tests, without settings of Florin. */
function inherited(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.filter(([name]) => !/^(FLORIN_|NODE_ENV|VITEST)/.test(name)));
}

function built(file: string): string {
  const path = join(dist, file);
  if (existsSync(path)) return path;
  throw new Error(`${path} is missing: run npm test, or node scripts/prepare.mjs --build.`);
}

/**
 * A port that is likely to stay free until the caller takes it: below those that systems give to whoever
 * asks for any, which a test beside this one does all the time.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 30_000);
    const listener = createServer().listen(port, "127.0.0.1");
    const isFree = await once(listener, "listening").then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EADDRINUSE") throw error;
        return false;
      },
    );
    if (!isFree) continue;
    listener.close();
    await once(listener, "close");
    return port;
  }
}
