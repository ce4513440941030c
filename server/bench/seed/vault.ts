import type { Pool } from "../../src/db/pool.ts";
import { ServiceClock } from "../../src/foundation/clock.ts";
import { SANDBOX_MASTER_KEY } from "../../src/foundation/config/table.ts";
import { parseMasterKeys } from "../../src/foundation/keyring.ts";
import { Vault } from "../../src/keys/vault.ts";

/** The keys of the sandbox under test. */
export const openVault = (pool: Pool): Promise<Vault> =>
  Vault.open(pool, parseMasterKeys(SANDBOX_MASTER_KEY), new ServiceClock());
