import type { KycImage } from "./images.ts";
import type { Rejection, RejectLabel } from "./reject.ts";

/** Numbers are looked up while the client waits; documents are examined afterwards. */
export const numberIdTypes = ["BVN", "NIN", "vNIN"] as const;
export type NumberIdType = (typeof numberIdTypes)[number];

export const documentIdTypes = [
  "PASSPORT",
  "NATIONAL_ID",
  "DRIVERS_LICENSE",
  "VOTERS_CARD",
  "GHANA_CARD",
] as const;
export type DocumentIdType = (typeof documentIdTypes)[number];

export interface KycAddress {
  street: string;
  city: string;
  state: string;
  postalCode?: string | undefined;
  /** ISO 3166 alpha-2. */
  country: string;
}

/** Whose question it is. No provider need know; a simulator of faults does. */
interface OnBehalf {
  organizationId?: string | undefined;
}

export interface NumberQuery extends OnBehalf {
  /** Names the verification to the provider, so that asking twice is the same question. */
  kycToken: string;
  idType: NumberIdType;
  idNumber: string;
  firstName: string;
  lastName: string;
  dateOfBirth?: string | undefined;
  /** Ends the wait before the provider's own deadline does. */
  signal?: AbortSignal | undefined;
}

/** What the register says of a number. Whether that is good enough is decided by our rules. */
export type Holder =
  | {
      found: true;
      firstName: string;
      lastName: string;
      dateOfBirth?: string | undefined;
      /** What speaks against this holder whatever was submitted, such as an invalid status. */
      objections?: RejectLabel[] | undefined;
    }
  | { found: false };

export interface DocumentSubmission extends OnBehalf {
  kycToken: string;
  idType: DocumentIdType;
  idNumber?: string | undefined;
  firstName: string;
  lastName: string;
  dateOfBirth?: string | undefined;
  email?: string | undefined;
  phoneNumber?: string | undefined;
  address?: KycAddress | undefined;
  front: KycImage;
  back?: KycImage | undefined;
  signal?: AbortSignal | undefined;
}

export interface BusinessSubmission extends OnBehalf {
  kycToken: string;
  registeredName: string;
  registrationNumber: string;
  email?: string | undefined;
  address: KycAddress;
  signal?: AbortSignal | undefined;
}

/** The start of an examination. Starting it again under the same `kycToken` starts nothing new. */
export interface Submission {
  providerId: string;
  /** Set when the provider refused the very document, so that no examination follows. */
  rejection?: Rejection | undefined;
}

export type KycOutcome = { status: "Pending" } | { status: "Approved" } | Rejection;

export type CallbackHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** What a call-back was worth. Only an `Outcome` says anything about a verification. */
export type CallbackReading =
  | { kind: "Outcome"; providerId: string; kycToken: string; outcome: KycOutcome }
  /** Authentic, and about nothing that we follow: answer success, do nothing. */
  | { kind: "Ignored" }
  | { kind: "Refused"; reason: "BAD_SIGNATURE" | "TOO_OLD" | "MALFORMED" };

/**
 * Someone who verifies people and businesses. All but `readCallback` throw `ProviderDown` or
 * `ProviderSlow`, and nothing else, when no verdict can be had: a fault is never a rejection.
 */
export interface KycProvider {
  /** Stands in the path of its call-backs. */
  readonly name: string;
  verifyNumber(query: NumberQuery): Promise<Holder>;
  submitDocument(submission: DocumentSubmission): Promise<Submission>;
  submitBusiness(submission: BusinessSubmission): Promise<Submission>;
  readOutcome(providerId: string, signal?: AbortSignal): Promise<KycOutcome>;
  /** How long to wait before asking for an outcome, after so many questions that were too early. */
  pollAfterMs(questions: number): number;
  /** The body as it was received, because the signature covers its bytes; `now` is real time. */
  readCallback(rawBody: Buffer, headers: CallbackHeaders, now: Date): CallbackReading;
}

/** The provider cannot be reached, or answers nothing that makes sense. For operators' eyes only. */
export class ProviderDown extends Error {
  override readonly name = "ProviderDown";
}

/** The provider did not answer in time. */
export class ProviderSlow extends Error {
  override readonly name = "ProviderSlow";
}
