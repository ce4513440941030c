import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { get } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Cleanup } from "./cleanup.ts";

const POLL_MS = 10;
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;
const SHOWN_LOG_LINES = 15;

export interface Command {
  title: string;
  program: string;
  args: string[];
  cwd: string;
}

export interface Launched {
  pid: number;
  /** Where the card network's gateway listens. */
  networkPort: number;
  readyAfterSeconds: number;
  stop(): Promise<void>;
}

/** The service alone, with the flags that `npm start` gives it, as the build left it beside this bundle. */
export function serviceCommand(): Command {
  const { root, startScript } = findProject(dirname(fileURLToPath(import.meta.url)));
  const flags = startScript.split(" ").filter((word) => word.startsWith("--"));
  const main = fileURLToPath(new URL("main.js", import.meta.url));
  return { title: "main.js", program: process.execPath, args: [...flags, main], cwd: root };
}

/** What a person waits for, which includes npm and the build; without npm, the service alone. */
export function startCommand(): Command {
  const alone = serviceCommand();
  const npm = process.env.npm_execpath ?? "";
  return npm.endsWith("npm-cli.js")
    ? { ...alone, title: "npm start", args: [npm, "start"] }
    : alone;
}

function findProject(from: string): { root: string; startScript: string } {
  const manifest = join(from, "package.json");
  if (existsSync(manifest)) {
    const { scripts } = JSON.parse(readFileSync(manifest, "utf8")) as {
      scripts?: { start?: string };
    };
    if (scripts?.start !== undefined) return { root: from, startScript: scripts.start };
  }
  if (from === dirname(from))
    throw new Error("There is no package.json with a start script above the bundle.");
  return findProject(dirname(from));
}

/** Starts Florin with its own database, without rate limits, on free ports, and waits until it is ready. */
export async function launch(
  command: Command,
  dataDir: string,
  cleanup: Cleanup,
): Promise<Launched> {
  const [apiPort, identityPort, networkPort = 0] = await freePorts(3);
  const logFile = join(dataDir, "service.log");
  const log = openSync(logFile, "a");
  const startedMs = performance.now();
  const child = spawn(command.program, command.args, {
    cwd: command.cwd,
    env: {
      ...neutralEnvironment(),
      FLORIN_DATA_DIR: dataDir,
      FLORIN_API_PORT: String(apiPort),
      FLORIN_IDENTITY_PORT: String(identityPort),
      FLORIN_NETWORK_PORT: String(networkPort),
      FLORIN_DASHBOARD_PORT: "0",
      FLORIN_RATE_LIMIT_RPS: "0",
      FLORIN_ADDRESS_RATE_LIMIT_RPS: "0",
    },
    stdio: ["ignore", log, log],
    // A group of its own: Ctrl-C reaches us alone, and npm's children are stopped with npm.
    detached: true,
  });
  closeSync(log);
  const stop = cleanup.add(() => stopGroup(child));
  await untilReady(child, `http://127.0.0.1:${apiPort}/readyz`, logFile);
  const readyAfterSeconds = (performance.now() - startedMs) / 1_000;
  return { pid: child.pid ?? 0, networkPort, readyAfterSeconds, stop };
}

/** Nothing that this shell happens to hold may change what is measured. */
function neutralEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(FLORIN_|PG|OTEL_|NODE_OPTIONS$)/.test(name)),
  );
}

async function untilReady(child: ChildProcess, url: string, logFile: string): Promise<void> {
  let failure: string | undefined;
  child.on("error", (error) => {
    failure = error.message;
  });
  child.on("exit", (code, signal) => {
    failure = `it ended (${signal ?? `exit code ${code}`})`;
  });
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  while (!(await isReady(url))) {
    if (performance.now() > deadlineMs)
      failure = `it was not ready within ${START_TIMEOUT_MS / 1_000} s`;
    if (failure !== undefined) {
      throw new Error(`The service did not start: ${failure}.\n${lastLines(logFile)}`);
    }
    await sleep(POLL_MS);
  }
}

function isReady(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, { agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    }).on("error", () => resolve(false));
  });
}

async function stopGroup({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined || !signalGroup(pid, "SIGTERM")) return;
  const deadlineMs = performance.now() + STOP_TIMEOUT_MS;
  while (signalGroup(pid, 0)) {
    if (performance.now() > deadlineMs) {
      signalGroup(pid, "SIGKILL");
      throw new Error(`The service did not stop within ${STOP_TIMEOUT_MS / 1_000} s.`);
    }
    await sleep(POLL_MS);
  }
}

/** False if nobody is left in the group. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

function lastLines(file: string): string {
  return readFileSync(file, "utf8").trimEnd().split("\n").slice(-SHOWN_LOG_LINES).join("\n");
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listenAnywhere));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function listenAnywhere(): Promise<ReturnType<typeof createServer>> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject).listen(0, "127.0.0.1", () => resolve(server));
  });
}
