import { z } from "zod";
import { faultNames } from "./board.ts";

const count = z.int().min(1).max(1_000).meta({ description: "How many times it strikes" });

const seconds = z
  .int()
  .min(1)
  .max(3_600)
  .meta({ description: "Of the service's time, which moves on with the clock" });

const orders = [
  z.strictObject({
    fault: z.enum([
      "DuplicateDeliveries",
      "DropDeliveries",
      "ReorderDeliveries",
      "KycDown",
      "KycSlow",
    ]),
    count,
  }),
  z.strictObject({ fault: z.literal("DelayDeliveries"), count, seconds }),
  z.strictObject({ fault: z.literal("CutConnection"), count: count.default(1) }),
  z.strictObject({ fault: z.literal("None") }),
] as const;

export const FaultOrder = z.discriminatedUnion("fault", orders).meta({
  id: "FaultOrder",
  description: "What is to go wrong; None ends whatever was asked for",
  examples: [{ fault: "DuplicateDeliveries", count: 1 }],
});

export const FaultsSet = z
  .strictObject({
    faults: z
      .strictObject({ fault: z.enum(faultNames), count, seconds: seconds.optional() })
      .array()
      .meta({ description: "All that is still to strike, with how often" }),
  })
  .meta({ id: "FaultsSet" });
