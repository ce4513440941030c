import { afterAll, beforeAll } from "vitest";
import { createPool, type Pool } from "../../src/db/pool.ts";
import { startTestService, type TestService } from "./service.ts";

export interface DashboardService {
  service: TestService;
  pool: Pool;
  /** The dashboard's. */
  origin: string;
}

/**
 * A service for the tests of a file, there once they run. A proxy on this machine is trusted, so that a test
 * can come from any address.
 */
export function dashboardService(): DashboardService {
  const running = {} as DashboardService;
  beforeAll(async () => {
    const service = await startTestService({ FLORIN_TRUST_PROXY: "127.0.0.1" });
    const pool = createPool(service.databaseUrl, 2);
    Object.assign(running, { service, pool, origin: service.sandbox.dashboardUrl });
  });
  afterAll(async () => {
    await running.pool.end();
    await running.service.stop();
  });
  return running;
}

/** A call that comes from there. */
export const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
