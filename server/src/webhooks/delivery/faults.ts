import type { Outcome } from "../../outbound/outcome.ts";
import type { Delivery } from "./delivery.ts";

/**
 * Stands around each attempt, so that a simulator can drop it, send it twice, hold it back or let
 * another pass it. Without one an attempt is simply made.
 */
export type DeliveryFaults = (
  delivery: Delivery,
  attempt: () => Promise<Outcome>,
) => Promise<Outcome>;

export const noFaults: DeliveryFaults = (_delivery, attempt) => attempt();
