import { Expectations } from "../authorization/expectations.ts";
import { CustomerManaged } from "../authorization/remote/customer-managed.ts";
import { CardBook } from "../cards/card-book.ts";
import type { Core } from "../core.ts";
import type { Reads } from "../db/reads.ts";
import type { Engine } from "../engine/engine.ts";
import type { Log } from "../foundation/log.ts";
import type { Reach } from "../outbound/address.ts";
import type { Programme } from "../programmes/programmes.ts";
import type { WalletIds } from "../wallets/service.ts";
import { CardNumbers } from "./card-numbers.ts";
import { openDoor } from "./door.ts";

interface NetworkParts {
  engine: Engine;
  reads: Reads;
  walletIds: WalletIds;
  programmes: readonly Programme[];
  log: Log;
  reach: Reach;
}

/** The door of the network with all that stands behind it, for the service and for commands. */
export function wireNetwork(core: Core, { log, reach, ...parts }: NetworkParts) {
  const cardBook = new CardBook(parts.reads);
  const customerManaged = new CustomerManaged({ ...core, engine: parts.engine, log, reach });
  const expectations = new Expectations();
  const doorDeps = { ...core, ...parts, cardBook, customerManaged, expectations };
  return { doorDeps, door: openDoor(doorDeps), cardNumbers: new CardNumbers(doorDeps) };
}
