import { rehearsePurchase } from "../../authorization/service.ts";
import { Failure } from "../../foundation/failure.ts";
import { TokenBuckets } from "../../foundation/token-bucket.ts";
import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { describe } from "../../http/openapi.ts";
import { Decided } from "../../transactions/wire.ts";
import { describeAuthorized, type SimulatorDeps, simulatePurchase } from "../simulator/service.ts";
import { PurchaseBody } from "../simulator/wire.ts";

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

/** For those who may not see a CVV: enough to try a card out, too few to find the CVV by trying them all. */
const CVV_TRIES = { burst: 20, ratePerS: 1 / 3_600, maxKeys: 100_000 };

/** A purchase as the simulator would send it, in production too: it is decided, and nothing comes of it. */
export function dryRunRoutes(api: App, deps: SimulatorDeps): void {
  const tries = new TokenBuckets({ ...CVV_TRIES, nowMs: () => performance.now() });
  api.post("/authorizations/dry-run", { schema: DryRun }, async ({ caller, body }) => {
    if (body.cvv !== undefined && !caller.maySeeSecrets) {
      const allowance = tries.take(`${caller.organizationId} ${body.cardId}`);
      if (!allowance.ok) throw tooManyTries(allowance.retryAfterS);
    }
    const done = await simulatePurchase(deps, caller, body, (...message) =>
      rehearsePurchase(deps, ...message),
    );
    return ok(describeAuthorized(done));
  });
}

const tooManyTries = (retryAfterS: number): Failure =>
  new Failure("NO_ACTION_TAKEN", {
    message: "Too many dry runs with a CVV on this card; CardSecrets is needed for more",
    retryAfterS,
  });
