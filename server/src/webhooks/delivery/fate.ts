import type { Outcome } from "../../outbound/outcome.ts";
import type { HeldBack } from "./faults.ts";

/** How long deliveries wait for us to have descriptors again. */
const NO_DESCRIPTOR_MS = 5_000;

/**
 * What becomes of a delivery: an outcome of its endpoint is recorded. What never reached out to it is
 * held back for a while, or released, so that anybody may have it at once.
 */
export type Fate = Outcome | HeldBack | "Release";

export function fateOf(outcome: Outcome | HeldBack): Fate {
  if ("heldBackMs" in outcome || outcome.isAnswer) return outcome;
  switch (outcome.reason) {
    case "Stopped":
    case "Overloaded":
      return "Release";
    case "NoDescriptor":
      return { heldBackMs: NO_DESCRIPTOR_MS };
    default:
      return outcome;
  }
}
