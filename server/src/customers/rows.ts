import type { KycStatus } from "./life-cycle.ts";
import type { KycAddress } from "./port.ts";
import type { RejectLabel, RejectType } from "./reject.ts";
import type { IdType } from "./requirements.ts";
import type { Application, Details } from "./submission.ts";

export const customerTypes = ["Individual", "Business"] as const;
export type CustomerType = (typeof customerTypes)[number];

/** Someone whom cards can be issued to, once approved. */
export interface Customer {
  organizationId: string;
  customerId: string;
  type: CustomerType;
  clientReference: string;
  firstName: string | null;
  lastName: string | null;
  registeredName: string | null;
  email: string | null;
  phoneNumber: string | null;
  address: KycAddress | null;
  kycToken: string;
  status: KycStatus;
  createdAt: Date;
}

export interface Verification {
  organizationId: string;
  kycToken: string;
  customerId: string;
  clientReference: string;
  kind: Application["kind"];
  idType: IdType | null;
  details: Details;
  provider: string;
  /** Null until the provider has the submission. */
  providerId: string | null;
  status: KycStatus;
  rejectType: RejectType | null;
  rejectLabels: RejectLabel[] | null;
  updatedAt: Date;
}

export function customerTypeOf(kind: Verification["kind"]): CustomerType {
  return kind === "Business" ? "Business" : "Individual";
}
