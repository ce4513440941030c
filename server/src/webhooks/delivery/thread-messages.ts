import type { Kept } from "../../foundation/kept-thread.ts";
import type { Reach } from "../../outbound/address.ts";
import type { FaultBoard } from "../../sandbox/faults/board.ts";
import type { Deliverer } from "./deliverer.ts";

/** What the thread that sends deliveries is given. */
export interface ThreadData {
  databaseUrl: string;
  reach: Reach;
  maxInHand: number;
  logLevel: string;
  clockOffsetMs: number;
  /** Whether deliveries may be made to fail. */
  isSandbox: boolean;
}

/** What it does when it is told to. */
export interface ThreadFunctions extends Kept, Pick<Deliverer, "notice" | "look" | "followClock"> {
  stop(): Promise<void>;
  /** As Prometheus reads them. */
  metrics(): Promise<string>;
  setFault: FaultBoard["set"];
  clearFaults: FaultBoard["clear"];
  listFaults: FaultBoard["list"];
}

/** What it asks of its owner, who has the keys and the log. */
export interface OwnerFunctions {
  unseal(sealed: Uint8Array, place: string): Promise<Uint8Array>;
  log(line: string): void;
}
