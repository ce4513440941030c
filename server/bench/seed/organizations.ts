import type { Pool } from "../../src/db/pool.ts";
import { ServiceClock } from "../../src/foundation/clock.ts";
import { SANDBOX_MASTER_KEY } from "../../src/foundation/config.ts";
import { parseMasterKeys } from "../../src/foundation/keyring.ts";
import { type Credentials, createOrganization } from "../../src/identity/organizations.ts";
import { Vault } from "../../src/keys/vault.ts";

/** Organizations beside the sandbox's own, as an operator would create them. */
export async function seedOrganizations(pool: Pool, count: number): Promise<Credentials[]> {
  const clock = new ServiceClock();
  const vault = await Vault.open(pool, parseMasterKeys(SANDBOX_MASTER_KEY), clock.now());
  const created: Credentials[] = [];
  for (let n = 1; n <= count; n++) {
    created.push(
      await createOrganization(
        { pool, vault, clock },
        { name: `Bench ${n}`, customerManaged: false, defaultScopes: ["CardAPIs"] },
      ),
    );
  }
  return created;
}
