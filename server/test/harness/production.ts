import { randomBytes } from "node:crypto";
import { openCore } from "../../src/core.ts";
import { createLog } from "../../src/foundation/log.ts";
import { createOrganization } from "../../src/identity/organizations.ts";
import { startService } from "../../src/service.ts";
import { readSetup } from "../../src/setup.ts";
import { ApiClient } from "./api-client.ts";
import { freePort } from "./process.ts";
import { scratchDatabase } from "./scratch.ts";
import { absentSumsub } from "./sumsub.ts";

export const PUBLIC_API_URL = "https://api.florin.example";
export const PUBLIC_IDENTITY_URL = "https://identity.florin.example";
export const PUBLIC_DASHBOARD_URL = "https://dashboard.florin.example";

export interface TestProduction {
  /** Where the listeners really are; clients know them by their public addresses only. */
  apiOrigin: string;
  identityOrigin: string;
  dashboardOrigin: string;
  /** Signs as a client of the public addresses. */
  client: ApiClient;
  stop(): Promise<void>;
}

/** A service in production, behind a proxy on this machine that terminates TLS. */
export async function startTestProduction(
  overrides: Record<string, string> = {},
): Promise<TestProduction> {
  const database = await scratchDatabase();
  const [apiPort, identityPort] = [await freePort(), await freePort()];
  const dashboardPort = await freePort();
  const setup = await readSetup({
    FLORIN_ENV: "production",
    FLORIN_DATABASE_URL: database.url,
    FLORIN_MASTER_KEY: randomBytes(32).toString("base64"),
    FLORIN_API_PORT: String(apiPort),
    FLORIN_API_URL: PUBLIC_API_URL,
    FLORIN_IDENTITY_PORT: String(identityPort),
    FLORIN_IDENTITY_URL: PUBLIC_IDENTITY_URL,
    FLORIN_DASHBOARD_PORT: String(dashboardPort),
    FLORIN_DASHBOARD_URL: PUBLIC_DASHBOARD_URL,
    FLORIN_TRUST_PROXY: "127.0.0.1",
    FLORIN_LOG_LEVEL: "silent",
    ...absentSumsub,
    ...overrides,
  });
  const service = await startService(setup, createLog({ level: setup.config.logLevel }));
  const operator = await openCore(setup.config, () => undefined);
  const credentials = await createOrganization(operator, {
    name: "Real",
    customerManaged: false,
    defaultScopes: ["CardAPIs"],
  });
  await operator.close();
  return {
    apiOrigin: `http://127.0.0.1:${apiPort}`,
    identityOrigin: `http://127.0.0.1:${identityPort}`,
    dashboardOrigin: `http://127.0.0.1:${dashboardPort}`,
    client: new ApiClient({
      ...credentials,
      apiUrl: PUBLIC_API_URL,
      identityUrl: `http://127.0.0.1:${identityPort}`,
      dashboardUrl: "",
      dashboard: { email: "", password: "", totpSecret: "" },
    }),
    stop: async () => {
      await service.stop();
      await database.drop();
    },
  };
}
