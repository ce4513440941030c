import { transaction } from "../db/transaction.ts";
import { Failure } from "../foundation/failure.ts";
import type { Log } from "../foundation/log.ts";
import type { CallbackHeaders, CallbackReading } from "./port.ts";
import { recordOutcome } from "./record.ts";
import type { KycDeps } from "./verification-service.ts";
import { findOrganizationOf, lockVerification } from "./verification-store.ts";

export type CallbackDeps = Pick<KycDeps, "pool" | "clock" | "kycProvider"> & {
  answers: { readonly log: Log };
};

/** What a provider calls with, as it was received. */
export interface Callback {
  provider: string;
  rawBody: Buffer;
  headers: CallbackHeaders;
}

/**
 * Takes a provider's call-back. One that is authentic is accepted whatever it says, so that it is not
 * repeated for ever; only what it says about a verification of ours, and what leads forward, counts.
 */
export async function takeCallback(
  deps: CallbackDeps,
  { provider, rawBody, headers }: Callback,
): Promise<void> {
  if (provider !== deps.kycProvider.name) throw new Failure("UNABLE_TO_LOCATE_RECORD");
  // The provider knows nothing of a sandbox's moved clock, so that its window is one of real time.
  const reading = deps.kycProvider.readCallback(rawBody, headers, new Date());
  if (reading.kind === "Refused") throw refusalOf(reading.reason);
  if (reading.kind === "Outcome") await takeOutcome(deps, reading);
}

async function takeOutcome(
  { pool, clock, kycProvider, answers }: CallbackDeps,
  { kycToken, providerId, outcome }: Extract<CallbackReading, { kind: "Outcome" }>,
): Promise<void> {
  const organizationId = await findOrganizationOf(pool, kycToken);
  if (organizationId === undefined) return;
  await transaction(pool, async (tx) => {
    const verification = await lockVerification(tx, { organizationId, kycToken });
    if (verification === undefined || verification.provider !== kycProvider.name) return;
    // A call-back may overtake the answer to our submission, which brings the provider's id: then it cannot be
    // compared.
    if (verification.providerId !== null && verification.providerId !== providerId) {
      answers.log.warn({ kycToken }, "a KYC call-back is about another submission; ignored");
      return;
    }
    await recordOutcome(tx, verification, outcome, clock.now());
  });
}

function refusalOf(reason: Extract<CallbackReading, { kind: "Refused" }>["reason"]): Failure {
  if (reason === "MALFORMED") {
    const message = "is not a call-back of this provider";
    return new Failure("INVALID_REQUEST", { errors: [{ field: "body", message }] });
  }
  const message =
    reason === "TOO_OLD" ? "The call-back is too old" : "The call-back's signature does not match";
  return new Failure("SECURITY_ERROR", { message });
}
