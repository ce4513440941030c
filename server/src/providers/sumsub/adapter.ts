import {
  type BusinessSubmission,
  type CallbackHeaders,
  type CallbackReading,
  type DocumentSubmission,
  type Holder,
  type KycAddress,
  type KycOutcome,
  type KycProvider,
  type NumberQuery,
  ProviderDown,
  type Submission,
} from "../../customers/port.ts";
import type { Rejection } from "../../customers/reject.ts";
import {
  defined,
  isApplicantId,
  type NewApplicant,
  openApplicant,
  readReview,
  requestCheck,
} from "./applicants.ts";
import { readSumsubCallback } from "./callback.ts";
import { SumsubClient, type SumsubClientOptions } from "./client.ts";
import { type Deadline, withDeadline } from "./deadline.ts";
import { uploadDocument } from "./documents.ts";
import { lookUpNumber, readLookUp } from "./numbers.ts";
import { outcomeOf } from "./words.ts";

export interface SumsubConfig extends SumsubClientOptions {
  /** Signs call-backs. It is made with the webhook and is not the key that signs our requests. */
  webhookSecret: string;
  /**
   * Levels of the Sumsub account, which say what is examined. They must ask for no more than we
   * send: a number; a document without a selfie; a company's name, number and address.
   */
  levelNames: { number: string; document: string; business: string };
  /** ISO 3166: Sumsub wants three letters where we keep two. */
  alpha3Of(alpha2: string): string;
  /** For a number or a status. A client waits 10 s at most, and our own work needs a little of that. */
  deadlineMs?: number;
  /** For a submission with its images, which nobody waits for. */
  submitDeadlineMs?: number;
}

const DEFAULT_DEADLINE_MS = 9_000;
const DEFAULT_SUBMIT_DEADLINE_MS = 30_000;
const DEFAULT_ISSUER = "NG";
/** It calls back when it has decided; questions are for call-backs that got lost. */
const FIRST_POLL_MS = 60_000;
const MAX_POLL_MS = 3_600_000;

/** Verification by Sumsub (https://docs.sumsub.com). */
export class Sumsub implements KycProvider {
  readonly name = "sumsub";
  readonly #config: SumsubConfig;
  readonly #client: SumsubClient;

  constructor(config: SumsubConfig) {
    this.#config = config;
    this.#client = new SumsubClient(config);
  }

  verifyNumber(query: NumberQuery): Promise<Holder> {
    return this.#soon(query.signal, async (deadline) => {
      const { applicantId, existed } = await openApplicant(
        this.#client,
        {
          levelName: this.#config.levelNames.number,
          kycToken: query.kycToken,
          type: "individual",
          fixedInfo: { country: "NGA" },
        },
        deadline,
      );
      const known = existed
        ? await readLookUp(this.#client, applicantId, query, deadline).catch(unlessDown)
        : undefined;
      return known ?? lookUpNumber(this.#client, applicantId, query, deadline);
    });
  }

  submitDocument(submission: DocumentSubmission): Promise<Submission> {
    return this.#submit(submission.signal, this.#person(submission), (applicantId, deadline) =>
      uploadDocument(
        this.#client,
        applicantId,
        { ...submission, issuer: this.#config.alpha3Of(issuerOf(submission)) },
        deadline,
      ),
    );
  }

  submitBusiness(submission: BusinessSubmission): Promise<Submission> {
    return this.#submit(submission.signal, this.#company(submission), async () => undefined);
  }

  async readOutcome(providerId: string, signal?: AbortSignal): Promise<KycOutcome> {
    if (!isApplicantId(providerId)) throw new ProviderDown("No id of Sumsub's");
    return this.#soon(signal, async (deadline) =>
      outcomeOf(await readReview(this.#client, providerId, deadline)),
    );
  }

  pollAfterMs(questions: number): number {
    return Math.min(FIRST_POLL_MS * 2 ** questions, MAX_POLL_MS);
  }

  readCallback(rawBody: Buffer, headers: CallbackHeaders, now: Date): CallbackReading {
    return readSumsubCallback(this.#config.webhookSecret, rawBody, headers, now);
  }

  /** Opens an applicant, adds what belongs to it and asks for the check, from wherever an earlier try got to. */
  #submit(
    signal: AbortSignal | undefined,
    applicant: NewApplicant,
    upload: (applicantId: string, deadline: Deadline) => Promise<Rejection | undefined>,
  ): Promise<Submission> {
    const spanMs = this.#config.submitDeadlineMs ?? DEFAULT_SUBMIT_DEADLINE_MS;
    return withDeadline(spanMs, signal, async (deadline) => {
      const { applicantId, isSubmitted } = await openApplicant(this.#client, applicant, deadline);
      if (isSubmitted) return { providerId: applicantId };
      const rejection = await upload(applicantId, deadline);
      if (rejection !== undefined) return { providerId: applicantId, rejection };
      await requestCheck(this.#client, applicantId, deadline);
      return { providerId: applicantId };
    });
  }

  #person(submission: DocumentSubmission): NewApplicant {
    const { kycToken, firstName, lastName, dateOfBirth, email, phoneNumber, address } = submission;
    return {
      levelName: this.#config.levelNames.document,
      kycToken,
      type: "individual",
      email,
      phone: phoneNumber,
      fixedInfo: defined<unknown>({
        firstName,
        lastName,
        dob: dateOfBirth,
        addresses: address && [this.#address(address)],
      }),
    };
  }

  #company({ kycToken, registeredName, registrationNumber, email, address }: BusinessSubmission) {
    const { street, city, state, postalCode, country } = address;
    return {
      levelName: this.#config.levelNames.business,
      kycToken,
      type: "company" as const,
      email,
      fixedInfo: {
        companyInfo: {
          companyName: registeredName,
          registrationNumber,
          country: this.#config.alpha3Of(country),
          legalAddress: [street, city, state, postalCode].filter((line) => line).join(", "),
        },
      },
    };
  }

  #address({ street, city, state, postalCode, country }: KycAddress): Record<string, string> {
    return defined({
      street,
      town: city,
      state,
      postCode: postalCode,
      country: this.#config.alpha3Of(country),
    });
  }

  #soon<T>(signal: AbortSignal | undefined, work: (deadline: Deadline) => Promise<T>): Promise<T> {
    return withDeadline(this.#config.deadlineMs ?? DEFAULT_DEADLINE_MS, signal, work);
  }
}

/** Who issued a document is not said; where its holder lives is the best guess, and Sumsub corrects it. */
function issuerOf({ idType, address }: DocumentSubmission): string {
  return idType === "GHANA_CARD" ? "GH" : (address?.country ?? DEFAULT_ISSUER);
}

/** An earlier look-up that failed is a reason to make a new one. */
function unlessDown(error: unknown): undefined {
  if (!(error instanceof ProviderDown)) throw error;
}
