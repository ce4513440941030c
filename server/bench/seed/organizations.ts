import type { Pool } from "../../src/db/pool.ts";
import { ServiceClock } from "../../src/foundation/clock.ts";
import { type Credentials, createOrganization } from "../../src/identity/organizations.ts";
import { openVault } from "./vault.ts";

/** An organization beside the sandbox's own, as an operator would create it. */
export async function seedOrganization(
  pool: Pool,
  { customerManaged = false }: { customerManaged?: boolean } = {},
): Promise<Credentials> {
  const deps = { pool, vault: await openVault(pool), clock: new ServiceClock() };
  const defaultScopes = ["CardAPIs"] as const;
  return createOrganization(deps, { name: "Bench", customerManaged, defaultScopes });
}
