import type { KycImage } from "./images.ts";
import type { DocumentIdType, KycAddress, NumberIdType } from "./port.ts";

export interface PersonDetails {
  firstName: string;
  lastName: string;
  email?: string | undefined;
  phoneNumber?: string | undefined;
  address?: KycAddress | undefined;
}

export interface BusinessDetails {
  registeredName: string;
  email?: string | undefined;
  address: KycAddress;
}

/** What is kept in clear and shown to the organization that sent it. */
export type Details = PersonDetails | BusinessDetails;

/** What is kept sealed and shown to nobody but the provider. */
export interface IdentityNumbers {
  idNumber?: string | undefined;
  registrationNumber?: string | undefined;
  dateOfBirth?: string | undefined;
}

interface Common {
  clientReference: string;
  identity: IdentityNumbers;
}

export interface NumberApplication extends Common {
  kind: "Number";
  idType: NumberIdType;
  identity: IdentityNumbers & { idNumber: string };
  details: PersonDetails;
}

export interface DocumentApplication extends Common {
  kind: "Document";
  idType: DocumentIdType;
  details: PersonDetails;
  front: KycImage;
  back?: KycImage | undefined;
}

export interface BusinessApplication extends Common {
  kind: "Business";
  details: BusinessDetails;
}

/** What a client submitted, read and found well-formed. */
export type Application = NumberApplication | DocumentApplication | BusinessApplication;
