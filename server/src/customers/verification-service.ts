import type { Pool } from "../db/pool.ts";
import type { Clock } from "../foundation/clock.ts";
import { Failure } from "../foundation/failure.ts";
import { isId, newId } from "../foundation/ids.ts";
import type { Caller } from "../http/caller.ts";
import type { Vault } from "../keys/vault.ts";
import type { Claim } from "../references/claim.ts";
import { onceAroundCall } from "../references/once-around-call.ts";
import { onceInTransaction } from "../references/once-in-transaction.ts";
import { isDecided, type KycStatus } from "./life-cycle.ts";
import {
  type Holder,
  type KycOutcome,
  type KycProvider,
  ProviderDown,
  ProviderSlow,
} from "./port.ts";
import { recordOutcome, recordSubmission } from "./record.ts";
import { type RejectLabel, type RejectType, rejected } from "./reject.ts";
import type { Verification } from "./rows.ts";
import { decideNumber } from "./rules.ts";
import type { BusinessApplication, DocumentApplication, NumberApplication } from "./submission.ts";
import { findVerification, lockVerification } from "./verification-store.ts";

export interface KycDeps {
  pool: Pool;
  clock: Clock;
  vault: Vault;
  kycProvider: KycProvider;
  /** Whoever carries on what is examined later. */
  kycReviews: { wake(): void };
}

/** How long a client waits at most, including its turn behind other requests with the same Reference. */
const PATIENCE_MS = 9_500;

type Submitter = Pick<Caller, "organizationId" | "claim" | "receivedMs">;

/** Verifies a person: by a number at once, by a document later. */
export function submitIndividual(
  deps: KycDeps,
  caller: Submitter,
  person: NumberApplication | DocumentApplication,
): Promise<Verification> {
  return person.kind === "Number"
    ? verifyNumber(deps, caller, person)
    : submitForReview(deps, caller, person);
}

/** Has a number looked up while the client waits, and decides. */
function verifyNumber(
  deps: KycDeps,
  { organizationId, claim, receivedMs }: Submitter,
  application: NumberApplication,
): Promise<Verification> {
  const { clock, vault, kycProvider } = deps;
  const { idType, identity, details } = application;
  const { firstName, lastName } = details;
  const person = { firstName, lastName, dateOfBirth: identity.dateOfBirth };
  return onceAroundCall(deps, claim, {
    newResourceId: () => newId("kyc", clock.nowMs()),
    ask: (kycToken) => {
      const query = { organizationId, kycToken, idType, ...person, ...identity };
      return orFailure(
        whileTimeLasts(receivedMs + PATIENCE_MS, (signal) =>
          kycProvider.verifyNumber({ ...query, signal }),
        ),
      );
    },
    record: (tx, holder: Holder, kycToken) =>
      recordSubmission(tx, vault, {
        organizationId,
        kycToken,
        provider: kycProvider.name,
        application,
        outcome: decideNumber(idType, person, holder),
        now: clock.now(),
      }),
  });
}

/** Asks while there is time, then aborts, which is not held against the provider. */
async function whileTimeLasts<T>(
  deadlineMs: number,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const leftMs = deadlineMs - performance.now();
  if (leftMs <= 0) throw new ProviderSlow("There was no time left to ask");
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), leftMs);
  try {
    return await ask(patience.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** A fault of the provider, in our words. Its own are for operators. */
async function orFailure<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    const retry = "nothing was recorded; retry with the same Reference";
    if (cause instanceof ProviderSlow) {
      const message = `The identity register did not answer in time; ${retry}`;
      throw new Failure("ISSUER_SWITCH_TIMEOUT", { message, cause });
    }
    if (cause instanceof ProviderDown) {
      const message = `The identity register cannot be asked now; ${retry}`;
      throw new Failure("TERMINAL_PROCESSOR_ERROR", { message, cause });
    }
    throw cause;
  }
}

/** Records a document or a business; it is examined afterwards. */
export async function submitForReview(
  deps: KycDeps,
  { organizationId, claim }: Submitter,
  application: DocumentApplication | BusinessApplication,
): Promise<Verification> {
  const { clock, vault, kycProvider, kycReviews } = deps;
  const kycToken = newId("kyc", clock.nowMs());
  const provider = kycProvider.name;
  const verification = await onceInTransaction(
    deps,
    claim,
    (tx) =>
      recordSubmission(tx, vault, {
        organizationId,
        kycToken,
        provider,
        application,
        now: clock.now(),
      }),
    kycToken,
  );
  kycReviews.wake();
  return verification;
}

export async function readVerification(
  { pool }: KycDeps,
  organizationId: string,
  kycToken: string,
): Promise<Verification> {
  const found = isId("kyc", kycToken)
    ? await findVerification(pool, { organizationId, kycToken })
    : undefined;
  return found ?? Promise.reject(unknown());
}

export interface Decision {
  status: KycStatus;
  rejectType?: RejectType | undefined;
  rejectLabels?: RejectLabel[] | undefined;
}

/** For the simulator: decides in the provider's place. */
export function decideByHand(
  deps: KycDeps,
  organizationId: string,
  kycToken: string,
  decision: Decision,
  claim: Claim,
): Promise<Verification> {
  return onceInTransaction(
    deps,
    claim,
    async (tx) => {
      const verification = isId("kyc", kycToken)
        ? await lockVerification(tx, { organizationId, kycToken })
        : undefined;
      if (verification === undefined) throw unknown();
      // What is so already may be said again, as a provider's call-back may; it changes nothing.
      if (verification.status === decision.status) return verification;
      const outcome = outcomeAfter(verification.status, decision);
      return recordOutcome(tx, verification, outcome, deps.clock.now());
    },
    kycToken,
  );
}

/** What is final stays so, and nothing goes back to how every verification begins. */
function outcomeAfter(
  current: KycStatus,
  { status, rejectType, rejectLabels }: Decision,
): KycOutcome {
  if (isDecided(current)) throw impossible(`The verification is ${current}, which is final`);
  if (status === "Initiated") {
    throw impossible(`The verification is ${current} and does not go back to Initiated`);
  }
  return status === "Rejected" ? rejected(rejectLabels ?? [], rejectType) : { status };
}

const impossible = (message: string): Failure => new Failure("INVALID_TRANSACTION", { message });

/** The same for what never was and for what is another organization's. */
const unknown = (): Failure => new Failure("UNABLE_TO_LOCATE_RECORD");
