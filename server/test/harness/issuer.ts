import { Expectations } from "../../src/authorization/expectations.ts";
import { CustomerManaged } from "../../src/authorization/remote/customer-managed.ts";
import { CardBook } from "../../src/cards/card-book.ts";
import { FreePans } from "../../src/cards/issuing/free-pans.ts";
import { openCore } from "../../src/core.ts";
import { Reads } from "../../src/db/reads.ts";
import { Engine } from "../../src/engine/engine.ts";
import type { Clock } from "../../src/foundation/clock.ts";
import { readConfig } from "../../src/foundation/config/config.ts";
import { createLog } from "../../src/foundation/log.ts";
import { openDoor } from "../../src/network/door.ts";
import { loadProgrammes } from "../../src/programmes/load.ts";
import type { Programme } from "../../src/programmes/programmes.ts";
import { InFlight } from "../../src/references/in-flight.ts";
import { WalletIds } from "../../src/wallets/service.ts";

export type Issuer = Awaited<ReturnType<typeof openIssuer>>;

/**
 * All that the use cases of cards and money stand on, without listeners: for tests that call them
 * thousands of times. Several on one database are as many processes. `change` is made to all programmes.
 */
export async function openIssuer(
  databaseUrl: string,
  clock: Clock,
  change: Partial<Programme> = {},
) {
  const core = await openCore(readConfig({ FLORIN_DATABASE_URL: databaseUrl }), () => undefined);
  const { pool, vault, feed } = core;
  const engine = new Engine({
    connectionString: databaseUrl,
    name: "engine",
    lanes: 2,
    durable: true,
    clock,
  });
  const reads = new Reads(databaseUrl);
  const shared = { pool, vault, feed, clock, engine };
  const programmes = await loadProgrammes(undefined);
  const log = createLog({ level: "silent" });
  const customerManaged = new CustomerManaged({ ...shared, log, reach: "PrivateToo" });
  const deps = {
    ...shared,
    reads,
    cardBook: new CardBook(reads),
    walletIds: new WalletIds(pool, clock),
    programmes: programmes.map((programme) => ({ ...programme, ...change })),
    customerManaged,
    expectations: new Expectations(),
    freePans: new FreePans({ reads, vault }),
  };
  return {
    ...deps,
    door: openDoor(deps),
    inFlight: new InFlight(),
    stop: async () => {
      await customerManaged.stop();
      await Promise.all([engine.stop(), reads.stop()]);
      await core.close();
    },
  };
}

/** Every reading is a moment later, and all of them are on one day. */
export function tickingClock(startMs = Date.UTC(2026, 5, 15, 6)): Clock {
  let atMs = startMs;
  const nowMs = (): number => atMs++;
  return { nowMs, now: () => new Date(nowMs()) };
}
