import type { KycVerification } from "@florin/sdk";

type Label = NonNullable<KycVerification["rejectLabels"]>[number];

const LABELS: Record<Label, string> = {
  NAME_MISMATCH: "The name differs from the register's",
  DOB_MISMATCH: "The date of birth differs",
  ADDRESS_MISMATCH: "The address differs",
  DATA_MISMATCH: "The data differs",
  NOT_FOUND: "The identity number is not in the register",
  FORGERY: "The document looks forged",
  EXPIRED_DOCUMENT: "The document has expired",
  UNREADABLE: "The document cannot be read",
  INCOMPLETE: "Something is missing",
  UNSUPPORTED_DOCUMENT: "This kind of document is not accepted",
  UNSUPPORTED_REGION: "This region is not served",
  SELFIE_MISMATCH: "The selfie shows somebody else",
  UNDERAGE: "The person is too young",
  DUPLICATE: "The person is known already",
  SANCTIONS: "The person is on a sanctions list",
  RISK: "The risk is too high",
  OTHER: "Another reason",
};

/** A label that a newer service made up is shown as it is. */
export const sayLabel = (label: Label): string => LABELS[label] ?? label;
