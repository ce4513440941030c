import { z } from "zod";
import { merchantResults } from "./change-merchants.ts";

const MAX_MIDS = 100;

/** One merchant or several; what is no merchant id is told in the answer, beside what became of the others. */
export const MerchantsBody = z
  .strictObject({
    mid: z
      .string()
      .optional()
      .meta({ description: "One merchant", examples: ["SHOP0001"] }),
    mids: z
      .string()
      .array()
      .min(1)
      .max(MAX_MIDS)
      .optional()
      .meta({ description: `Several merchants, at most ${MAX_MIDS}` }),
  })
  .refine(({ mid, mids }) => (mid === undefined) !== (mids === undefined), {
    path: ["mid"],
    error: "either mid or mids must be sent, not both",
  })
  .transform(({ mid, mids }) => mids ?? (mid === undefined ? [] : [mid]))
  .meta({ examples: [{ mids: ["SHOP0001", "SHOP0002"] }] });

export const MerchantOutcomes = z
  .strictObject({
    mid: z.string(),
    result: z.enum(merchantResults),
    responseCode: z.string().meta({ description: "134 for what is no merchant id, else 000" }),
  })
  .meta({ id: "MerchantOutcome", description: "What became of one merchant" })
  .array();
