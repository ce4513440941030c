import type { Core } from "../core.ts";
import { Reads } from "../db/reads.ts";
import { Engine } from "../engine/engine.ts";
import type { Config } from "../foundation/config/table.ts";
import { createLog } from "../foundation/log.ts";
import type { CardNumbers } from "../network/card-numbers.ts";
import type { NetworkDoor } from "../network/door.ts";
import { wireNetwork } from "../network/wiring.ts";
import { reachOf } from "../outbound/address.ts";
import { loadProgrammes } from "../programmes/load.ts";
import type { Programme } from "../programmes/programmes.ts";
import { WalletIds } from "../wallets/service.ts";

export interface OperatorDoor {
  door: NetworkDoor;
  cardNumbers: CardNumbers;
  programmes: readonly Programme[];
}

/**
 * The door of the network for a command, beside whatever service runs: the locks of accounts keep them
 * apart. What organizations have to be told is left for the service to tell.
 */
export async function withDoor<T>(
  core: Core,
  config: Config,
  work: (door: OperatorDoor) => Promise<T>,
): Promise<T> {
  const { databaseUrl, pool, clock } = core;
  const programmes = await loadProgrammes(config.programmesFile);
  const engine = new Engine({
    connectionString: databaseUrl,
    name: "operator",
    lanes: config.engineLanes,
    durable: true,
    clock,
  });
  const reads = new Reads(databaseUrl);
  const { doorDeps, door, cardNumbers } = wireNetwork(core, {
    engine,
    reads,
    walletIds: new WalletIds(pool, clock),
    programmes,
    log: createLog({ level: "silent", destination: { write: () => undefined } }),
    reach: reachOf(config),
  });
  try {
    return await work({ door, cardNumbers, programmes });
  } finally {
    await doorDeps.customerManaged.stop();
    await Promise.all([engine.stop(), reads.stop()]);
  }
}
