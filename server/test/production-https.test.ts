import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiClient } from "./harness/api-client.ts";
import { hasOpenssl, writeCertificate } from "./harness/certificates.ts";
import { until } from "./harness/eventually.ts";
import {
  cleanUp,
  florin,
  freePort,
  launch,
  newDataDir,
  type Program,
  quietEnvironment,
} from "./harness/process.ts";
import { scratchDatabase } from "./harness/scratch.ts";
import { absentSumsub } from "./harness/sumsub.ts";

describe.skipIf(!hasOpenssl)("production with a certificate of its own (needs openssl)", () => {
  let database: Awaited<ReturnType<typeof scratchDatabase>>;
  let environment: Record<string, string>;
  let dataDir: string;
  let agent: Agent;

  beforeAll(async () => {
    database = await scratchDatabase();
    dataDir = newDataDir();
    const { cert, key } = writeCertificate(dataDir, "localhost");
    agent = new Agent({ ca: readFileSync(cert) });
    const [api, identity] = [await freePort(), await freePort()];
    environment = {
      ...quietEnvironment(dataDir),
      FLORIN_ENV: "production",
      FLORIN_DATABASE_URL: database.url,
      FLORIN_MASTER_KEY: randomBytes(32).toString("base64"),
      FLORIN_API_PORT: String(api),
      FLORIN_API_URL: `https://localhost:${api}`,
      FLORIN_IDENTITY_PORT: String(identity),
      FLORIN_IDENTITY_URL: `https://localhost:${identity}`,
      FLORIN_DASHBOARD_URL: "https://localhost:4002",
      FLORIN_TLS_CERT_FILE: cert,
      FLORIN_TLS_KEY_FILE: key,
      ...absentSumsub,
    };
  });
  afterAll(async () => {
    await cleanUp();
    await database.drop();
  });

  /** fetch takes no certificate authority of one's own, so this is done by hand. */
  function call(
    url: string,
    options: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<{ status: number | undefined; text: string }> {
    const { method = "GET", headers = {}, body } = options;
    return new Promise((resolve, reject) => {
      const sent = request(url, { method, headers, agent }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        answer.on("end", () => resolve({ status: answer.statusCode, text }));
      });
      sent.on("error", reject).end(body);
    });
  }

  async function startProduction(change: Record<string, string> = {}): Promise<Program> {
    const program = launch({ ...environment, ...change });
    await until("production is ready", async () => {
      if (program.hasExited) throw new Error(program.stderr);
      return (await call(`${environment.FLORIN_API_URL}/readyz`)).status === 200;
    });
    return program;
  }

  test("it serves https, has no simulator and writes no credentials", async () => {
    const program = await startProduction();
    expect(existsSync(join(dataDir, "sandbox.json"))).toBe(false);
    await expect(
      fetch(`http://127.0.0.1:${environment.FLORIN_API_PORT}/healthz`),
    ).rejects.toThrow();

    const created = await florin(["org", "create", "Real"], environment);
    expect(created.code).toBe(0);
    const credentials = JSON.parse(created.stdout);
    const client = new ApiClient({
      ...credentials,
      apiUrl: environment.FLORIN_API_URL,
      identityUrl: environment.FLORIN_IDENTITY_URL,
    });
    const token = await call(`${environment.FLORIN_IDENTITY_URL}/connect/token`, {
      method: "POST",
      headers: {
        Authorization: `Basic ${Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString("base64")}`,
        "Content-Type": "application/x-www-form-urlencoded",
      },
      body: "grant_type=client_credentials",
    });
    const { access_token } = JSON.parse(token.text);
    const send = async (method: string, path: string, body?: string) => {
      const url = `${environment.FLORIN_API_URL}/api/v1${path}`;
      const headers = await client.headers(method, url, {
        ...(body === undefined ? {} : { body }),
        headers: { Authorization: `Bearer ${access_token}` },
      });
      const { status, text } = await call(url, { method, headers, ...(body ? { body } : {}) });
      return `${status}/${JSON.parse(text).responseCode}`;
    };
    expect(await send("GET", "/wallets")).toBe("200/000");
    expect(await send("POST", "/simulator/wallets/deposits", '{"currency":"USD","amount":1}')).toBe(
      "404/157",
    );
    expect(await send("POST", "/simulator/clock/advance", '{"seconds":1}')).toBe("404/157");
    program.kill("SIGTERM");
    expect(await program.exited).toEqual({ code: 0, signal: null });
  });

  test("its metrics are for this machine, or for who has the token", async () => {
    const metrics = `${environment.FLORIN_API_URL}/metrics`;
    const open = await startProduction();
    expect((await call(metrics)).text).toContain("florin_http_request");
    open.kill("SIGTERM");
    await open.exited;

    const token = "a-token-for-the-metrics";
    const closed = await startProduction({ FLORIN_METRICS_TOKEN: token });
    const asked = (authorization: string) => call(metrics, { headers: { authorization } });
    expect((await asked(`Bearer ${token}`)).status).toBe(200);
    expect((await asked(`Bearer ${token}x`)).status).toBe(403);
    closed.kill("SIGTERM");
    await closed.exited;
  });
});
