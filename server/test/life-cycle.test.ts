import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { identify } from "../src/db/embedded/process.ts";
import { verdict } from "./harness/answers.ts";
import { type ApiClient, newReference, type SandboxFile } from "./harness/api-client.ts";
import { emptyDatabase } from "./harness/empty-database.ts";
import { until } from "./harness/eventually.ts";
import {
  cleanUp,
  endPrograms,
  florin,
  launch,
  newDataDir,
  type Program,
  quietEnvironment,
  start,
  startServiceProcess,
  untilReady,
} from "./harness/process.ts";
import { scratchDatabase } from "./harness/scratch.ts";

const CLEAN = { code: 0, signal: null };
const DEPOSITS = "/simulator/wallets/deposits";

/** The embedded database of a data directory, as the operating system sees it. */
function postmasterPid(dataDir: string): number | undefined {
  const file = join(dataDir, "postgres", "postmaster.pid");
  return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : undefined;
}

/** A process that has ended counts as gone, whether or not anybody reaps it. */
const isRunning = (pid: number): boolean => identify(pid) !== undefined;

const readSandbox = (dataDir: string): SandboxFile =>
  JSON.parse(readFileSync(join(dataDir, "sandbox.json"), "utf8"));

const balanceOf = async ({ client }: { client: ApiClient }): Promise<number> =>
  (await client.get("/wallets")).body.data[0].balance;

describe("with its embedded database", () => {
  const dataDir = newDataDir();
  const environment = quietEnvironment(dataDir);
  let born: SandboxFile;
  afterEach(endPrograms);
  afterAll(cleanUp);

  /** Ends it as told, and looks at once whether anything is left. */
  async function stops(program: Program, end: () => void): Promise<void> {
    const database = postmasterPid(dataDir);
    if (database === undefined) throw new Error("The embedded database does not run.");
    end();
    expect(await program.exited).toEqual(CLEAN);
    expect(isRunning(database)).toBe(false);
    expect(postmasterPid(dataDir)).toBeUndefined();
    expect(program.stderr).toBe("");
  }

  test("the first start says where everything is, and SIGTERM leaves nothing running", async () => {
    const service = await startServiceProcess(environment);
    born = service.sandbox;
    const path = join(dataDir, "sandbox.json");
    for (const text of [born.apiUrl, born.identityUrl, path])
      expect(service.stdout).toContain(text);
    expect(service.stdout).toMatch(/npm run florin -- \w+/);
    expect(service.stdout).not.toContain(born.clientSecret);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(born).toEqual({
      apiUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      identityUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      dashboardUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      clientId: expect.any(String),
      clientSecret: expect.any(String),
      uniqueKey: expect.any(String),
      webhookSecret: expect.stringMatching(/^whsec_/),
      dashboard: {
        email: expect.any(String),
        password: expect.any(String),
        totpSecret: expect.any(String),
      },
    });
    expect(await balanceOf(service)).toBe(100_000);
    await service.client.post(DEPOSITS, { currency: "USD", amount: 1.5 });
    await stops(service, () => service.kill("SIGTERM"));
  });

  test("a restart keeps everything but the addresses; Ctrl-C reaches the whole group and stops it", async () => {
    const service = await startServiceProcess(environment);
    const { apiUrl, identityUrl, dashboardUrl } = born;
    expect({ ...service.sandbox, apiUrl, identityUrl, dashboardUrl }).toEqual(born);
    expect(readSandbox(dataDir)).toEqual(service.sandbox);
    expect(await balanceOf(service)).toBe(100_001.5);
    await stops(service, () => service.killGroup("SIGINT"));
  });

  test.each<[string, (npm: Program) => void]>([
    ["SIGINT to its group, as Ctrl-C", (npm) => npm.killGroup("SIGINT")],
    ["SIGTERM to its group", (npm) => npm.killGroup("SIGTERM")],
    ["SIGTERM to npm alone", (npm) => npm.kill("SIGTERM")],
  ])("npm start ends with 0, not before everything is gone: %s", async (_what, end) => {
    const npm = start("npm", ["start"], environment);
    const service = await untilReady(npm, environment);
    await balanceOf(service);
    const database = postmasterPid(dataDir) ?? 0;
    end(npm);
    expect(await npm.exited).toEqual(CLEAN);
    expect(isRunning(database)).toBe(false);
    expect(postmasterPid(dataDir)).toBeUndefined();
    await expect(fetch(`${service.sandbox.apiUrl}/healthz`)).rejects.toThrow();
  });

  test.each(["FLORIN_API_PORT", "FLORIN_IDENTITY_PORT", "FLORIN_DASHBOARD_PORT"])(
    "a taken %s is told in one line, and the database does not stay",
    async (name) => {
      const squatter = await listenOnFreePort();
      try {
        const port = portOf(squatter);
        const program = launch({ ...environment, [name]: String(port) });
        expect(await program.exited).toEqual({ code: 1, signal: null });
        const lines = program.stderr.trim().split("\n");
        expect(lines).toHaveLength(1);
        expect(lines[0]).toContain(name);
        expect(lines[0]).toContain(String(port));
        expect(postmasterPid(dataDir)).toBeUndefined();
      } finally {
        squatter.close();
      }
    },
  );

  test("a signal while it starts stops it as well, and what it has started", async () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const program = launch(environment);
      await until("the database is coming up", () => postmasterPid(dataDir) !== undefined);
      const database = postmasterPid(dataDir) ?? 0;
      program.kill(signal);
      await program.exited;
      expect(isRunning(database)).toBe(false);
    }
  });

  test("an operator's command uses the running database and leaves it running, or starts it for the moment", async () => {
    const service = await startServiceProcess(environment);
    const database = postmasterPid(dataDir);
    const before = await balanceOf(service);
    const beside = await florin(["org", "list"], environment);
    expect(beside).toMatchObject({ code: 0, stderr: "" });
    expect(postmasterPid(dataDir)).toBe(database);
    expect(await balanceOf(service)).toBe(before);
    service.kill("SIGTERM");
    await service.exited;

    const alone = await florin(["org", "list"], environment);
    expect(alone).toEqual(beside);
    expect(postmasterPid(dataDir)).toBeUndefined();
  });

  test("two processes on one data directory share the database; the last to leave stops it", async () => {
    const programs = [launch(environment), launch(environment)];
    // Both write sandbox.json, so the other is found by what it says.
    const addressOf = ({ stdout }: Program) =>
      /http:\/\/127\.0\.0\.1:\d+(?=\/api)/.exec(stdout)?.[0];
    await until("both are up", () => programs.every((program) => addressOf(program) !== undefined));
    const [first, second] = programs as [Program, Program];
    const database = postmasterPid(dataDir) ?? 0;
    first.kill("SIGTERM");
    expect(await first.exited).toEqual(CLEAN);
    expect(isRunning(database)).toBe(true);
    expect((await fetch(`${addressOf(second)}/readyz`)).status).toBe(200);
    second.kill("SIGTERM");
    expect(await second.exited).toEqual(CLEAN);
    expect(isRunning(database)).toBe(false);
  });
});

describe("with a database of its operator's", () => {
  let database: Awaited<ReturnType<typeof scratchDatabase>>;
  beforeAll(async () => {
    database = await scratchDatabase();
  });
  afterEach(cleanUp);
  afterAll(() => database.drop());

  const environment = (): Record<string, string> => ({
    ...quietEnvironment(newDataDir()),
    FLORIN_DATABASE_URL: database.url,
  });

  test("it starts none of its own, and leaves the other running", async () => {
    const here = environment();
    const service = await startServiceProcess(here);
    expect(await balanceOf(service)).toBe(100_000);
    expect(existsSync(join(here.FLORIN_DATA_DIR ?? "", "postgres"))).toBe(false);
    service.kill("SIGTERM");
    expect(await service.exited).toEqual(CLEAN);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.end();
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "what is in flight at %s is finished and answered, while nobody new is let in",
    async (signal) => {
      const service = await startServiceProcess(environment());
      const { client, sandbox } = service;
      const before = await balanceOf(service);
      const holder = new pg.Client({ connectionString: database.url });
      await holder.connect();
      await holder.query("begin");
      await holder.query("select from accounts where kind = 'Wallet' for update");
      const reference = newReference();
      const hanging = client.post(DEPOSITS, { currency: "USD", amount: 1 }, { reference });
      await until("the deposit is in progress", async () => {
        const { body } = await client.get(`/requests/${reference}`);
        return body.data.state === "InProgress";
      });

      service.kill(signal);
      await until("nobody new is let in", () =>
        fetch(`${sandbox.apiUrl}/healthz`).then(
          () => false,
          () => true,
        ),
      );
      // An impatient second signal changes nothing.
      service.kill(signal);
      expect(service.hasExited).toBe(false);
      await holder.query("rollback");
      await holder.end();
      const answer = await hanging;
      expect(verdict(answer)).toBe("200/000");
      expect(answer.body.data.balance).toBe(before + 1);
      expect(await service.exited).toEqual(CLEAN);
    },
  );

  test("an idle connection that a client keeps open does not hold up the stop", async () => {
    const service = await startServiceProcess(environment());
    await balanceOf(service);
    const { port } = new URL(service.sandbox.apiUrl);
    const silent = connect(Number(port), "127.0.0.1");
    await once(silent, "connect");
    service.kill("SIGTERM");
    expect(await service.exited).toEqual(CLEAN);
    silent.destroy();
  });

  test("processes that start at once on an empty database all come up, and seed it once", async () => {
    const empty = await emptyDatabase();
    try {
      const environments = Array.from({ length: 3 }, () => ({
        ...environment(),
        FLORIN_DATABASE_URL: empty.url,
      }));
      const services = await Promise.all(environments.map((each) => startServiceProcess(each)));
      expect(new Set(services.map(({ sandbox }) => sandbox.clientId)).size).toBe(1);
      for (const service of services) expect(await balanceOf(service)).toBe(100_000);
      const { stdout } = await florin(["org", "list"], environments[0] ?? {});
      expect(stdout.match(/org_\w+/g)).toHaveLength(1);
      for (const service of services) service.kill("SIGTERM");
      for (const service of services) expect(await service.exited).toEqual(CLEAN);
    } finally {
      await empty.drop();
    }
  });
});

describe("a configuration that cannot be", () => {
  afterEach(cleanUp);

  async function refused(change: Record<string, string>): Promise<string> {
    const dataDir = newDataDir();
    const program = launch({ ...quietEnvironment(dataDir), ...change });
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(existsSync(join(dataDir, "postgres"))).toBe(false);
    expect(program.stderr).not.toMatch(/^\s+at /m);
    return program.stderr;
  }

  test("production without anything is told all that it lacks, before anything is started", async () => {
    const said = await refused({ FLORIN_ENV: "production" });
    for (const name of [
      "MASTER_KEY",
      "API_URL",
      "IDENTITY_URL",
      "DASHBOARD_URL",
      "TLS_CERT_FILE",
    ]) {
      expect(said).toContain(`FLORIN_${name}`);
    }
  });

  test("a sandbox is not bound to the world by accident", async () => {
    expect(await refused({ FLORIN_HOST: "0.0.0.0" })).toContain("FLORIN_ALLOW_PUBLIC_SANDBOX=1");
  });

  test("a mistyped key is named", async () => {
    expect(await refused({ FLORIN_API_PROT: "1" })).toContain("FLORIN_API_PROT");
  });
});

test("a sandbox is bound to the world when that is meant", async () => {
  const database = await scratchDatabase();
  try {
    const service = await startServiceProcess({
      ...quietEnvironment(newDataDir()),
      FLORIN_DATABASE_URL: database.url,
      FLORIN_HOST: "0.0.0.0",
      FLORIN_ALLOW_PUBLIC_SANDBOX: "1",
    });
    const { port } = new URL(service.sandbox.apiUrl);
    expect((await fetch(`http://127.0.0.2:${port}/healthz`)).status).toBe(200);
  } finally {
    await cleanUp();
    await database.drop();
  }
});

async function listenOnFreePort(): Promise<Server> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
