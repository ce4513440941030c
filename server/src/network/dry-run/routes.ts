import { rehearsePurchase } from "../../authorization/service.ts";
import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { describe } from "../../http/openapi.ts";
import { Decided } from "../../transactions/wire.ts";
import { describeAuthorized, type SimulatorDeps, simulatePurchase } from "../simulator/service.ts";
import { PurchaseBody } from "../simulator/wire.ts";
import type { CvvTries } from "./cvv-tries.ts";

const DryRun = describe({
  operationId: "rehearseAuthorization",
  tag: "Transactions",
  summary: "See what would be decided",
  description:
    "Takes what the simulator takes for a purchase and answers what would happen now. Nothing changes. " +
    "With a `cvv` it tells whether that is right: without the scope CardSecrets a card can be tried 20 times so, and " +
    "then once an hour (429/170).",
  body: PurchaseBody,
  data: Decided,
});

export interface DryRunDeps extends SimulatorDeps {
  cvvTries: CvvTries;
}

/** A purchase as the simulator would send it, in production too: it is decided, and nothing comes of it. */
export function dryRunRoutes(api: App, deps: DryRunDeps): void {
  api.post("/authorizations/dry-run", { schema: DryRun }, async ({ caller, body }) => {
    if (body.cvv !== undefined && !caller.maySeeSecrets) {
      deps.cvvTries.take(caller.organizationId, body.cardId);
    }
    const done = await simulatePurchase(deps, caller, body, (...message) =>
      rehearsePurchase(deps, ...message),
    );
    return ok(describeAuthorized(done));
  });
}
