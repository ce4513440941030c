import type { Outcome } from "../../outbound/outcome.ts";
import type { Delivery } from "./delivery.ts";

/** Not attempted yet: it is as if it came later, and what waits is in the database. */
export interface HeldBack {
  /** In service time. */
  heldBackMs: number;
  /** Ends the wait before its time. */
  sooner?: Promise<void>;
}

/**
 * Stands around each attempt, so that a simulator can drop it, send it twice, hold it back or let
 * another pass it. Without one an attempt is simply made.
 */
export type DeliveryFaults = (
  delivery: Delivery,
  attempt: () => Promise<Outcome>,
) => Promise<Outcome | HeldBack>;

export const noFaults: DeliveryFaults = (_delivery, attempt) => attempt();
