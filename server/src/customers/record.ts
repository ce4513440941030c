import type pg from "pg";
import { type Event, tellEvents } from "../engine/events.ts";
import { newId } from "../foundation/ids.ts";
import type { Vault } from "../keys/vault.ts";
import { customerAfter, type KycStatus, stepsTo } from "./life-cycle.ts";
import type { KycOutcome } from "./port.ts";
import { customerTypeOf, type Verification } from "./rows.ts";
import { sealIdentity, sealImage } from "./seals.ts";
import {
  type CustomerStanding,
  lockCustomer,
  openCustomer,
  saveCustomer,
  saveCustomerStatus,
} from "./store.ts";
import type { Application } from "./submission.ts";
import { insertImage, insertVerification, saveVerification } from "./verification-store.ts";
import { verificationOf } from "./verification-wire.ts";

interface NewVerification {
  organizationId: string;
  kycToken: string;
  provider: string;
  application: Application;
  /** Absent where it is examined later. */
  outcome?: KycOutcome;
  now: Date;
}

/** Writes a submission: the verification, its images, its customer and its first event. */
export async function recordSubmission(
  tx: pg.PoolClient,
  vault: Vault,
  { organizationId, kycToken, provider, application, outcome, now }: NewVerification,
): Promise<Verification> {
  const { clientReference, kind, details } = application;
  const status = outcome?.status ?? "Initiated";
  const customer = await openCustomer(tx, {
    organizationId,
    customerId: newId("cus", now.getTime()),
    type: customerTypeOf(kind),
    clientReference,
    kycToken,
    status,
    details,
    now,
  });
  const verification: Verification = {
    organizationId,
    kycToken,
    customerId: customer.customerId,
    clientReference,
    kind,
    idType: application.kind === "Business" ? null : application.idType,
    details,
    provider,
    providerId: null,
    status,
    ...rejectionOf(outcome),
    updatedAt: now,
  };
  if (!customer.isNew) await followVerification(tx, customer, verification, true, now);
  await insertVerification(tx, verification, {
    identitySealed: sealIdentity(vault, verification, application.identity),
    dueAt: outcome === undefined ? now : null,
  });
  if (application.kind === "Document") {
    const { front, back } = application;
    await insertImage(tx, verification, sealImage(vault, verification, "Front", front));
    if (back) await insertImage(tx, verification, sealImage(vault, verification, "Back", back));
  }
  await recordEvents(tx, verification, [status], now);
  return verification;
}

/**
 * Takes a verification, whose row must be locked, as far as an outcome leads: every step on the way is
 * an event. What leads nowhere changes nothing, so that it may come late, twice and in any order.
 */
export async function recordOutcome(
  tx: pg.PoolClient,
  before: Verification,
  outcome: KycOutcome,
  now: Date,
): Promise<Verification> {
  const steps = stepsTo(before.status, outcome.status);
  if (steps.length === 0) return before;
  // Ids and times of events tell their order, so each step takes a millisecond of its own.
  const firstMs = Math.max(now.getTime(), before.updatedAt.getTime() + 1);
  const verification: Verification = {
    ...before,
    status: outcome.status,
    ...rejectionOf(outcome),
    updatedAt: new Date(firstMs + steps.length - 1),
  };
  await saveVerification(tx, verification);
  const customer = await lockCustomer(tx, verification);
  await followVerification(tx, customer, verification, false, now);
  await recordEvents(tx, verification, steps, new Date(firstMs));
  return verification;
}

function rejectionOf(
  outcome: KycOutcome | undefined,
): Pick<Verification, "rejectType" | "rejectLabels"> {
  if (outcome?.status !== "Rejected") return { rejectType: null, rejectLabels: null };
  const { rejectType, rejectLabels } = outcome;
  return { rejectType, rejectLabels };
}

async function followVerification(
  tx: pg.PoolClient,
  customer: CustomerStanding,
  verification: Verification,
  isNewSubmission: boolean,
  now: Date,
): Promise<void> {
  const change = customerAfter(customer, verification, isNewSubmission);
  const { organizationId, customerId, kycToken, status } = verification;
  if (change === "Adopt") {
    const adopted = { organizationId, customerId, kycToken, status };
    await saveCustomer(tx, adopted, verification.details, now);
  }
  if (change === "Follow") await saveCustomerStatus(tx, { organizationId, customerId, status });
}

async function recordEvents(
  tx: pg.PoolClient,
  verification: Verification,
  steps: readonly KycStatus[],
  first: Date,
): Promise<void> {
  for (const [index, status] of steps.entries()) {
    await tellEvents(tx, [eventOf(verification, status)], new Date(first.getTime() + index));
  }
}

function eventOf(verification: Verification, status: KycStatus): Event {
  const { organizationId, clientReference } = verification;
  // A step that was passed through had no reasons yet.
  const rejection = status === verification.status ? {} : { rejectType: null, rejectLabels: null };
  return {
    organizationId,
    eventType: `kyc.${status.toLowerCase()}`,
    clientReference,
    data: verificationOf({ ...verification, ...rejection, status }),
  };
}
