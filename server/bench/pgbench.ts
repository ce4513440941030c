import { spawn } from "node:child_process";
import { access, constants, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Cleanup } from "./cleanup.ts";
import type { JoinedDatabase } from "./database.ts";

const SCALE = 50;
const DATABASE = "pgbench";
const DEBIAN = "/usr/lib/postgresql";

export interface PgbenchResult {
  perSecond: number;
  averageMs: number;
}

export interface Pgbench {
  version: string;
  run(seconds: number): Promise<PgbenchResult>;
}

export async function findPgbench(): Promise<string | undefined> {
  const debian = (await readdir(DEBIAN).catch(() => []))
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN, version, "bin"));
  for (const directory of [...debian, ...(process.env.PATH ?? "").split(":")]) {
    const file = join(directory, "pgbench");
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return undefined;
}

/** Fills a database of its own beside the service's. */
export async function preparePgbench(database: JoinedDatabase, cleanup: Cleanup): Promise<Pgbench> {
  const program = await findPgbench();
  if (program === undefined) throw new Error("pgbench is not installed.");
  const environment = { PATH: process.env.PATH, ...connectionOf(database.url) };
  const call = (...args: string[]): Promise<string> => run(program, args, environment, cleanup);
  await database.run(`create database ${DATABASE}`);
  await call("--initialize", "--scale", String(SCALE), "--quiet");
  return {
    version: (await call("--version")).trim(),
    run: async (seconds) =>
      readResult(await call("-M", "prepared", "-c", "8", "-j", "2", "-T", String(seconds))),
  };
}

/** By environment, because everyone may read the arguments of a process. */
function connectionOf(url: string): Record<string, string> {
  const { hostname, port, username, password } = new URL(url);
  return {
    PGHOST: decodeURIComponent(hostname),
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: DATABASE,
  };
}

function readResult(output: string): PgbenchResult {
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(output)?.[1]);
  const averageMs = Number(/^latency average = ([\d.]+) ms/m.exec(output)?.[1]);
  if (Number.isNaN(perSecond)) throw new Error(`pgbench printed no result:\n${output}`);
  return { perSecond, averageMs };
}

function run(
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  cleanup: Cleanup,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    cleanup.add(async () => {
      child.kill("SIGKILL");
    });
    let output = "";
    let complaints = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      complaints += chunk;
    });
    child.on("error", reject).on("close", (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`pgbench ${args.join(" ")} failed:\n${complaints}`));
    });
  });
}
