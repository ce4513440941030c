import type { z } from "zod";
import type { Caller } from "../../http/caller.ts";
import { onceInTransaction } from "../../references/once-in-transaction.ts";
import type { ReferenceDeps } from "../../references/service.ts";
import type { Fault, FaultKeeper } from "./board.ts";
import type { FaultOrder } from "./wire.ts";

export interface FaultDeps extends ReferenceDeps {
  faults: FaultKeeper;
}

/** Sets what is to go wrong for the caller's organization, and says all that is set now. */
export async function injectFault(
  deps: FaultDeps,
  { organizationId, claim }: Caller,
  order: z.infer<typeof FaultOrder>,
): Promise<Fault[]> {
  // The Reference first: one that is used up must not set a fault again.
  await onceInTransaction(deps, claim, async () => undefined);
  if (order.fault === "None") await deps.faults.clear(organizationId);
  else await deps.faults.set(organizationId, order);
  return deps.faults.list(organizationId);
}
