import type { Pool } from "../../db/pool.ts";
import type { Reads } from "../../db/reads.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Programme } from "../../programmes/programmes.ts";
import type { CardNumbers } from "../card-numbers.ts";
import type { NetworkDoor } from "../door.ts";

/** What it takes to answer messages about cards. */
export interface GatewayDeps {
  pool: Pool;
  reads: Reads;
  clock: Clock;
  programmes: readonly Programme[];
  door: NetworkDoor;
  cardNumbers: CardNumbers;
}
