import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../../src/foundation/log.ts";
import { startService } from "../../src/service.ts";
import { readSetup } from "../../src/setup.ts";
import { ApiClient, type SandboxFile } from "./api-client.ts";
import { scratchDatabase } from "./scratch.ts";

export interface TestService {
  /** Signs as the sandbox organization's client. */
  client: ApiClient;
  sandbox: SandboxFile;
  databaseUrl: string;
  dataDir: string;
  environment: Record<string, string>;
  /** Host and port of the card network gateway. */
  networkAddress: string;
  stop(): Promise<void>;
}

/**
 * A whole service in this process: real listeners on free ports, a real database of its own. What it
 * logs goes to `log`, line by line.
 */
export async function startTestService(
  overrides: Record<string, string> = {},
  { log }: { log?: { write(line: string): void } } = {},
): Promise<TestService> {
  const database = await scratchDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "florin-test-"));
  const environment = {
    FLORIN_DATABASE_URL: database.url,
    FLORIN_DATA_DIR: dataDir,
    FLORIN_API_PORT: "0",
    FLORIN_IDENTITY_PORT: "0",
    FLORIN_NETWORK_PORT: "0",
    FLORIN_DASHBOARD_PORT: "0",
    FLORIN_LOG_LEVEL: "silent",
    FLORIN_RATE_LIMIT_RPS: "0",
    FLORIN_ADDRESS_RATE_LIMIT_RPS: "0",
    ...overrides,
  };
  const setup = await readSetup(environment);
  const service = await startService(
    setup,
    createLog({ level: setup.config.logLevel, ...(log === undefined ? {} : { destination: log }) }),
  );
  const sandbox = JSON.parse(readFileSync(join(dataDir, "sandbox.json"), "utf8")) as SandboxFile;
  return {
    client: new ApiClient(sandbox),
    sandbox,
    databaseUrl: environment.FLORIN_DATABASE_URL,
    dataDir,
    environment,
    networkAddress: service.addresses.network ?? "",
    stop: async () => {
      await service.stop();
      rmSync(dataDir, { recursive: true, force: true });
      await database.drop();
    },
  };
}
