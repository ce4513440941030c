import { type Applicant, isDocument } from "./applicant.ts";

const MISSING = "This is required";

/** The fields that must be filled in and are not, in the order of the form. */
export function missingIn(applicant: Applicant): Record<string, string> {
  const { clientReference, idNumber, firstName, lastName, dateOfBirth, idFrontImage } = applicant;
  const { registeredName, registrationNumber } = applicant;
  const needed =
    applicant.kind === "business"
      ? { registeredName, registrationNumber }
      : {
          idNumber,
          firstName,
          lastName,
          ...(needsBirth(applicant) && { dateOfBirth }),
          ...(isDocument(applicant.idType) && { idFrontImage }),
        };
  const fields = { clientReference, ...needed, ...addressNeeded(applicant) };
  const empty = Object.entries(fields).filter(([, value]) => value.trim() === "");
  return Object.fromEntries(empty.map(([name]) => [name, MISSING]));
}

export const needsBirth = ({ idType }: Pick<Applicant, "idType">): boolean =>
  idType === "NIN" || idType === "vNIN";

function addressNeeded(applicant: Applicant): Record<string, string> {
  const { street, city, state, postalCode, country } = applicant.address;
  // Whoever begins an address must finish it.
  const isBegun = [street, city, state, postalCode].some((part) => part.trim() !== "");
  if (!isBegun && !needsAddress(applicant)) return {};
  return {
    "address.street": street,
    "address.city": city,
    "address.state": state,
    "address.country": country,
  };
}

const needsAddress = ({ kind, idType }: Applicant): boolean =>
  kind === "business" || !isDocument(idType) || idType === "GHANA_CARD";
