import { z } from "zod";
import type { KycOutcome } from "../../customers/port.ts";
import { type RejectLabel, rejected } from "../../customers/reject.ts";

/** A review as it stands in an applicant, in an applicant's status and in a call-back. */
export const Review = z.object({
  reviewStatus: z.string().optional(),
  reviewResult: z
    .object({
      reviewAnswer: z.string().optional(),
      reviewRejectType: z.string().optional(),
      rejectLabels: z.array(z.string()).nullish(),
      buttonIds: z.array(z.string()).nullish(),
    })
    .nullish(),
});

export type Review = z.infer<typeof Review>;

/** An answer counts only once the review is completed; an answer that we do not know decides nothing. */
export function outcomeOf({ reviewStatus, reviewResult }: Review): KycOutcome {
  if (reviewStatus !== "completed") return { status: "Pending" };
  if (reviewResult?.reviewAnswer === "GREEN") return { status: "Approved" };
  if (reviewResult?.reviewAnswer !== "RED") return { status: "Pending" };
  const words = reviewResult.rejectLabels ?? [];
  const verdicts = words.filter((word) => !faultWords.has(word));
  // The review ended because a source could not be asked. That is nobody's rejection.
  if (words.length > 0 && verdicts.length === 0) return { status: "Pending" };
  const type = reviewResult.reviewRejectType;
  return rejected(
    labelsOf(verdicts, reviewResult.buttonIds ?? []),
    type === "FINAL" || type === "RETRY" ? type : undefined,
  );
}

/** Sumsub's words for our labels; where it says in a button which datum differs, that is told instead. */
function labelsOf(words: readonly string[], buttons: readonly string[]): RejectLabel[] {
  const labels = words.map((word) => labelOfWord.get(word) ?? "OTHER");
  const precise = buttons.flatMap((button) => labelOfButton.get(button) ?? []);
  const vague = precise.length > 0 ? labels.filter((label) => label !== "DATA_MISMATCH") : labels;
  return [...vague, ...precise];
}

/** Ends of a review that say something about Sumsub or its sources, and nothing about the applicant. */
const faultWords: ReadonlySet<string> = new Set([
  "CHECK_UNAVAILABLE",
  "NOT_ALL_CHECKS_COMPLETED",
  "CONNECTION_INTERRUPTED",
]);

const labelOfButton: ReadonlyMap<string, RejectLabel> = new Map([
  ["dataMismatch_fullName", "NAME_MISMATCH"],
  ["dataMismatch_dateOfBirth", "DOB_MISMATCH"],
  ["dataMismatch_address", "ADDRESS_MISMATCH"],
]);

const wordsOfLabel: Readonly<Partial<Record<RejectLabel, readonly string[]>>> = {
  ADDRESS_MISMATCH: ["WRONG_ADDRESS", "BAD_PROOF_OF_ADDRESS"],
  DATA_MISMATCH: [
    "PROBLEMATIC_APPLICANT_DATA",
    "REQUESTED_DATA_MISMATCH",
    "DB_DATA_MISMATCH",
    "COMPANY_DATA_MISMATCH",
    "INCONSISTENT_PROFILE",
  ],
  NOT_FOUND: ["DB_DATA_NOT_FOUND", "INCORRECT_SOCIAL_NUMBER"],
  FORGERY: [
    "FORGERY",
    "DOCUMENT_TEMPLATE",
    "GRAPHIC_EDITOR",
    "FALSE_IDENTITY",
    "FALSE_IDENTITY_DOCUMENT",
    "PRINTED_ID_COPY",
    "FRAUDULENT_PATTERNS",
    "FRAUDULENT_LIVENESS",
    "DEEPFAKE",
    "FORCED_VERIFICATION",
    "THIRD_PARTY_INVOLVED",
    "SUSPICIOUS_PATTERNS",
  ],
  EXPIRED_DOCUMENT: ["EXPIRATION_DATE", "OUTDATED_DOCUMENT_VERSION"],
  UNREADABLE: [
    "UNSATISFACTORY_PHOTOS",
    "DOCUMENT_DAMAGED",
    "LOW_QUALITY",
    "BLURRY",
    "NOT_READABLE",
    "BLACK_AND_WHITE",
    "SCREENSHOTS",
    "BAD_DOCUMENT",
  ],
  INCOMPLETE: [
    "DOCUMENT_PAGE_MISSING",
    "INCOMPLETE_DOCUMENT",
    "FRONT_SIDE_MISSING",
    "BACK_SIDE_MISSING",
    "DOCUMENT_MISSING",
    "ADDITIONAL_DOCUMENT_REQUIRED",
    "ADDITIONAL_DATA_REQUIRED",
    "UNFILLED_ID",
    "COMPANY_NOT_DEFINED_STRUCTURE",
    "COMPANY_NOT_DEFINED_BENEFICIARIES",
    "COMPANY_NOT_DEFINED_REPRESENTATIVES",
    "COMPANY_NOT_VALIDATED_BENEFICIARIES",
    "COMPANY_NOT_VALIDATED_REPRESENTATIVES",
  ],
  UNSUPPORTED_DOCUMENT: [
    "NOT_DOCUMENT",
    "UNSUITABLE_DOCUMENT",
    "DIGITAL_DOCUMENT",
    "ID_INVALID",
    "DOCUMENT_DEPRIVED",
    "INCOMPATIBLE_LANGUAGE",
    "UNSUPPORTED_LANGUAGE",
    "BAD_PROOF_OF_IDENTITY",
  ],
  UNSUPPORTED_REGION: ["WRONG_USER_REGION"],
  SELFIE_MISMATCH: [
    "SELFIE_MISMATCH",
    "BAD_FACE_MATCHING",
    "BAD_SELFIE",
    "BAD_VIDEO_SELFIE",
    "BAD_AVATAR",
    "SELFIE_WITH_PAPER",
  ],
  UNDERAGE: ["AGE_REQUIREMENT_MISMATCH"],
  DUPLICATE: ["DUPLICATE"],
  SANCTIONS: ["SANCTIONS"],
  RISK: [
    "PEP",
    "ADVERSE_MEDIA",
    "CRIMINAL",
    "COMPROMISED_PERSONS",
    "FITNESS_PROBITY",
    "BLOCKLIST",
    "HIGH_RISK_PROFILE",
    "RESTRICTED_PERSON",
    "REGULATIONS_VIOLATIONS",
    "COMPANY_PROBLEMATIC_STRUCTURE",
  ],
};

const labelOfWord: ReadonlyMap<string, RejectLabel> = new Map(
  Object.entries(wordsOfLabel).flatMap(([label, words]) =>
    words.map((word): [string, RejectLabel] => [word, label as RejectLabel]),
  ),
);
