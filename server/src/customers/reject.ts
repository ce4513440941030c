/** `FINAL`: do not try again. `RETRY`: the same person or business may submit again, corrected. */
export const rejectTypes = ["FINAL", "RETRY"] as const;
export type RejectType = (typeof rejectTypes)[number];

/**
 * Why a verification was rejected: the whole list, and all that a client ever learns. Providers map
 * their own words to it. The meanings are the documentation.
 */
export const rejectMeanings = {
  NAME_MISMATCH: "The name differs from the one on record or on the document.",
  DOB_MISMATCH: "The date of birth differs from the one on record or on the document.",
  ADDRESS_MISMATCH: "The address differs from the one on record or on the document.",
  DATA_MISMATCH: "Something else that was submitted differs from the record or the document.",
  NOT_FOUND: "The register does not know the number or the business.",
  FORGERY: "The document or the person behind it is not genuine.",
  EXPIRED_DOCUMENT: "The document is out of date.",
  UNREADABLE: "The image cannot be read: blurred, cropped, damaged or of bad quality.",
  INCOMPLETE: "A page, a side or a required detail is missing.",
  UNSUPPORTED_DOCUMENT: "The document is of a kind that is not accepted.",
  UNSUPPORTED_REGION: "People or businesses of this country or region are not accepted.",
  SELFIE_MISMATCH: "The face does not match the one on the document.",
  UNDERAGE: "The person is too young.",
  DUPLICATE: "The person or business was already verified under another name or account.",
  SANCTIONS: "The person or business is on a sanctions list.",
  RISK: "Declined after screening.",
  OTHER: "None of the other labels fits.",
} as const;

export type RejectLabel = keyof typeof rejectMeanings;

export const rejectLabels = Object.keys(rejectMeanings) as [RejectLabel, ...RejectLabel[]];

export interface Rejection {
  status: "Rejected";
  rejectType: RejectType;
  /** Never empty, each once, in the order of the list above. */
  rejectLabels: RejectLabel[];
}

/** Nothing that a person could correct makes these go away. */
const finalLabels: ReadonlySet<RejectLabel> = new Set([
  "FORGERY",
  "UNDERAGE",
  "DUPLICATE",
  "SANCTIONS",
  "RISK",
  "UNSUPPORTED_REGION",
]);

/** A rejection for these reasons; where nobody says whether it is final, the reasons do. */
export function rejected(reasons: Iterable<RejectLabel>, rejectType?: RejectType): Rejection {
  const given = new Set(reasons);
  if (given.size === 0) given.add("OTHER");
  const isFinal = [...given].some((label) => finalLabels.has(label));
  return {
    status: "Rejected",
    rejectType: rejectType ?? (isFinal ? "FINAL" : "RETRY"),
    rejectLabels: rejectLabels.filter((label) => given.has(label)),
  };
}
