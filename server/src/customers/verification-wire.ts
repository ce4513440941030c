import { z } from "zod";
import { id, pathId } from "../http/schema.ts";
import { kycStatuses } from "./life-cycle.ts";
import { rejectLabels, rejectMeanings, rejectTypes } from "./reject.ts";
import type { Verification } from "./rows.ts";

export const KycPath = z.strictObject({ kycToken: pathId("kyc") });

const rejectLabelList = z
  .enum(rejectLabels)
  .array()
  .meta({
    description: Object.entries(rejectMeanings)
      .map(([label, meaning]) => `${label}: ${meaning}`)
      .join(" "),
  });

const rejectType = z.enum(rejectTypes).meta({
  description: "FINAL: do not try again. RETRY: may be submitted again, corrected",
});

export const KycVerification = z
  .strictObject({
    kycToken: id("kyc"),
    clientReference: z.string(),
    status: z.enum(kycStatuses),
    customerId: id("cus")
      .optional()
      .meta({ description: "From Approved on; needed to issue cards" }),
    rejectType: rejectType.optional(),
    rejectLabels: rejectLabelList.optional(),
  })
  .meta({ id: "KycVerification", description: "Where a verification stands" });

export function verificationOf(row: Verification): z.infer<typeof KycVerification> {
  const { kycToken, clientReference, status, customerId, rejectType, rejectLabels } = row;
  return {
    kycToken,
    clientReference,
    status,
    ...(status === "Approved" ? { customerId } : {}),
    ...(rejectType === null ? {} : { rejectType }),
    ...(rejectLabels === null ? {} : { rejectLabels }),
  };
}

/** What the simulator may be told to decide. */
export const KycDecision = z
  .strictObject({
    status: z.enum(kycStatuses),
    rejectType: rejectType.optional(),
    rejectLabels: rejectLabelList.min(1).max(rejectLabels.length).optional(),
  })
  .refine(
    ({ status, rejectType, rejectLabels }) =>
      status === "Rejected" || (rejectType === undefined && rejectLabels === undefined),
    { path: ["status"], error: "must be Rejected where there are reasons for it" },
  )
  .meta({ id: "KycDecision", examples: [{ status: "Approved" }] });
