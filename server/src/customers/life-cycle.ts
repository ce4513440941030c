export const kycStatuses = ["Initiated", "Pending", "Approved", "Rejected"] as const;
export type KycStatus = (typeof kycStatuses)[number];

const order: Readonly<Record<KycStatus, number>> = {
  Initiated: 0,
  Pending: 1,
  Approved: 2,
  Rejected: 2,
};

/** Approved and Rejected are for ever. */
export function isDecided(status: KycStatus): boolean {
  return status === "Approved" || status === "Rejected";
}

/** The steps that lead to a status, those that were skipped included; none where they do not lead forward. */
export function stepsTo(current: KycStatus, target: KycStatus): KycStatus[] {
  if (order[target] <= order[current]) return [];
  const skipsPending = current === "Initiated" && target !== "Pending";
  return skipsPending ? ["Pending", target] : [target];
}

/** A verification as far as its customer is concerned. */
interface Standing {
  kycToken: string;
  status: KycStatus;
}

/**
 * What a verification means for its customer. `Adopt`: its details, its token and its status become
 * the customer's. `Follow`: only its status does. `Keep`: the customer stays as it is. The latest
 * submission counts until one is approved; after that only another approval does.
 */
export function customerAfter(
  customer: Standing,
  verification: Standing,
  isNewSubmission: boolean,
): "Adopt" | "Follow" | "Keep" {
  if (verification.status === "Approved") return "Adopt";
  if (customer.status === "Approved") return "Keep";
  if (isNewSubmission) return "Adopt";
  return customer.kycToken === verification.kycToken ? "Follow" : "Keep";
}
