export const ID_TYPES = [
  "BVN",
  "NIN",
  "vNIN",
  "PASSPORT",
  "NATIONAL_ID",
  "DRIVERS_LICENSE",
  "VOTERS_CARD",
  "GHANA_CARD",
] as const;

/** What the form holds; empty fields are empty strings. */
export interface Applicant {
  kind: "individual" | "business";
  clientReference: string;
  idType: (typeof ID_TYPES)[number];
  idNumber: string;
  firstName: string;
  lastName: string;
  dateOfBirth: string;
  email: string;
  phoneNumber: string;
  idFrontImage: string;
  idBackImage: string;
  registeredName: string;
  registrationNumber: string;
  address: { street: string; city: string; state: string; postalCode: string; country: string };
}

export const emptyApplicant = (): Applicant => ({
  kind: "individual",
  clientReference: "",
  idType: "BVN",
  idNumber: "",
  firstName: "",
  lastName: "",
  dateOfBirth: "",
  email: "",
  phoneNumber: "",
  idFrontImage: "",
  idBackImage: "",
  registeredName: "",
  registrationNumber: "",
  address: { street: "", city: "", state: "", postalCode: "", country: "NG" },
});

export const isDocument = (idType: string): boolean => !["BVN", "NIN", "vNIN"].includes(idType);

export function bodyOf(applicant: Applicant): Record<string, unknown> {
  const { kind, clientReference, email } = applicant;
  const address = addressOf(applicant);
  if (kind === "business") {
    const { registeredName, registrationNumber } = applicant;
    const businessKyc = { ...filled({ registeredName, registrationNumber, email }), ...address };
    return { ...filled({ clientReference }), businessKyc };
  }
  const { idType, idNumber, firstName, lastName, dateOfBirth, phoneNumber } = applicant;
  const { idFrontImage, idBackImage } = applicant;
  const images = isDocument(idType) ? { idFrontImage, idBackImage } : {};
  const person = { idType, idNumber, firstName, lastName, dateOfBirth, email, phoneNumber };
  return {
    ...filled({ clientReference }),
    individualKyc: { ...filled({ ...person, ...images }), ...address },
  };
}

/** An address of which only the country is chosen is none. */
function addressOf({ address }: Applicant): Record<string, unknown> {
  const { country, ...rest } = filled(address);
  return Object.keys(rest).length === 0 ? {} : { address: { ...rest, country } };
}

const filled = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ""));
