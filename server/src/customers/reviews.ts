import { transaction } from "../db/transaction.ts";
import type { Log } from "../foundation/log.ts";
import type { DueWork } from "../jobs/due-loop.ts";
import { type KycOutcome, ProviderDown, ProviderSlow, type Submission } from "./port.ts";
import { recordOutcome } from "./record.ts";
import { findDueInMs, type Review, reschedule, takeDue } from "./review-store.ts";
import { unsealIdentity, unsealImage } from "./seals.ts";
import type { BusinessDetails, IdentityNumbers, PersonDetails } from "./submission.ts";
import type { KycDeps } from "./verification-service.ts";
import { findIdentity, findImages, lockVerification, sides } from "./verification-store.ts";

/** Each may hold the images of a document in memory. */
const MAX_AT_ONCE = 4;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 600_000;

export type ReviewDeps = Omit<KycDeps, "kycReviews"> & { log: Log };

/**
 * Takes verifications that are examined elsewhere through their life: submits them, and asks after
 * them until they are decided. Whatever is lost on the way is done again: a provider takes the same
 * submission twice for one, and an outcome that is known already changes nothing.
 */
export function kycReviews(deps: ReviewDeps): DueWork<Review> {
  const { pool, clock, kycProvider } = deps;
  return {
    name: "kyc-reviews",
    maxAtOnce: MAX_AT_ONCE,
    take: (limit) => takeDue(pool, kycProvider.name, clock.now(), limit),
    nextInMs: () => findDueInMs(pool, kycProvider.name, clock.now()),
    run: (review, signal) => work(deps, review, signal),
  };
}

async function work(deps: ReviewDeps, review: Review, signal: AbortSignal): Promise<void> {
  try {
    await (review.providerId === null
      ? submit(deps, review, signal)
      : ask(deps, review, review.providerId, signal));
  } catch (error) {
    if (signal.aborted) return putBack(deps, review);
    const { kycToken, attempts } = review;
    const isFault = error instanceof ProviderDown || error instanceof ProviderSlow;
    deps.log[isFault ? "warn" : "error"](
      { err: error, kycToken, attempts },
      "a verification could not be carried on yet",
    );
    await postpone(deps, review);
  }
}

async function submit(deps: ReviewDeps, review: Review, signal: AbortSignal): Promise<void> {
  const { providerId, rejection } = await sendSubmission(deps, review, signal);
  await carryOn(deps, review, providerId, rejection ?? { status: "Pending" }, 0);
}

async function ask(
  deps: ReviewDeps,
  review: Review,
  providerId: string,
  signal: AbortSignal,
): Promise<void> {
  const outcome = await deps.kycProvider.readOutcome(providerId, signal);
  await carryOn(deps, review, providerId, outcome, review.attempts + 1);
}

/** Writes down how far it got, and when to ask after it next. */
async function carryOn(
  { pool, clock, kycProvider }: ReviewDeps,
  review: Review,
  providerId: string,
  outcome: KycOutcome,
  attempts: number,
): Promise<void> {
  await transaction(pool, async (tx) => {
    const verification = await lockVerification(tx, review);
    if (verification === undefined) return;
    const now = clock.now();
    await recordOutcome(tx, verification, outcome, now);
    const dueAt = new Date(now.getTime() + kycProvider.pollAfterMs(attempts));
    await reschedule(tx, review, { providerId, dueAt, attempts });
  });
}

/** Ends the lease, so that another worker may take it at once. */
async function putBack({ pool }: ReviewDeps, review: Review): Promise<void> {
  const { providerId, dueAt, attempts } = review;
  await reschedule(pool, review, { providerId, dueAt, attempts });
}

async function postpone({ pool, clock }: ReviewDeps, review: Review): Promise<void> {
  const { providerId, attempts } = review;
  const stepMs = Math.min(FIRST_PAUSE_MS * 2 ** attempts, MAX_PAUSE_MS);
  // At random, so that those who failed together do not return together.
  const dueAt = new Date(clock.nowMs() + stepMs * (0.5 + Math.random() / 2));
  await reschedule(pool, review, { providerId, dueAt, attempts: attempts + 1 });
}

async function sendSubmission(
  deps: ReviewDeps,
  review: Review,
  signal: AbortSignal,
): Promise<Submission> {
  const sealed = await findIdentity(deps.pool, review);
  if (sealed === undefined) throw new Error("A verification has lost its identity.");
  const identity = await unsealIdentity(deps.vault, review, sealed);
  return "registeredName" in review.details
    ? sendBusiness(deps, review, review.details, identity, signal)
    : sendDocument(deps, review, review.details, identity, signal);
}

function sendBusiness(
  { kycProvider }: ReviewDeps,
  { organizationId, kycToken }: Review,
  details: BusinessDetails,
  { registrationNumber = "" }: IdentityNumbers,
  signal: AbortSignal,
): Promise<Submission> {
  return kycProvider.submitBusiness({
    organizationId,
    kycToken,
    ...details,
    registrationNumber,
    signal,
  });
}

async function sendDocument(
  { pool, vault, kycProvider }: ReviewDeps,
  review: Review,
  details: PersonDetails,
  identity: IdentityNumbers,
  signal: AbortSignal,
): Promise<Submission> {
  const { organizationId, kycToken, idType } = review;
  const images = await findImages(pool, review);
  const [front, back] = await Promise.all(
    sides.map((side) => {
      const image = images.find((candidate) => candidate.side === side);
      return image && unsealImage(vault, review, image);
    }),
  );
  if (front === undefined || idType === null) throw new Error("A document has lost its image.");
  const { idNumber, dateOfBirth } = identity;
  return kycProvider.submitDocument({
    organizationId,
    kycToken,
    idType,
    ...details,
    idNumber,
    dateOfBirth,
    front,
    back,
    signal,
  });
}
