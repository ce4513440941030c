import { z } from "zod";
import { amountAsked, line } from "../../http/schema.ts";

const MAX_MCCS = 500;
const MAX_PAIRS = 20;
const MAX_KEY_LENGTH = 40;
const MAX_VALUE_LENGTH = 500;

export const mccList = z
  .string()
  .regex(/^\d{4}$/, "must be a merchant category code of 4 digits")
  .array()
  .max(MAX_MCCS)
  .meta({ description: "Merchant category codes", examples: [["5411", "5812"]] });

const metadataValue = z
  .string()
  .refine(
    (text) => text.length <= MAX_VALUE_LENGTH || [...text].length <= MAX_VALUE_LENGTH,
    `must be at most ${MAX_VALUE_LENGTH} characters`,
  )
  // The database takes neither.
  .refine((text) => !/[\0\p{Cs}]/u.test(text), "must not hold NUL or half a character")
  .meta({ maxLength: MAX_VALUE_LENGTH });

export const metadata = z
  .record(line(MAX_KEY_LENGTH), metadataValue)
  .refine((pairs) => Object.keys(pairs).length <= MAX_PAIRS, `must be at most ${MAX_PAIRS} pairs`)
  .meta({ description: "Your own notes on the card, as text", examples: [{ team: "travel" }] });

export const cardLimits = z
  .strictObject({ dailyLimit: amountAsked.optional(), transactionLimit: amountAsked.optional() })
  .meta({ description: "The most that the card may spend in a UTC day, and at once" });

/** The same in a change, where null takes a limit away too. */
const newLimits = z
  .strictObject({
    dailyLimit: amountAsked.nullable().optional(),
    transactionLimit: amountAsked.nullable().optional(),
  })
  .nullable()
  .meta({
    description: "Replaces all limits of the card; a limit that is null or missing is gone",
    examples: [{ dailyLimit: 500 }],
  });

export const ChangeCardBody = z
  .strictObject({
    cardLimits: newLimits.optional(),
    whiteListedMccs: mccList.optional(),
    blackListedMccs: mccList.optional(),
    contactlessPayment: z.boolean().optional(),
    metadata: metadata.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, {
    message: "must change at least one field",
    // Only once each field is right by itself.
    when: ({ issues }) => issues.length === 0,
  })
  .meta({ examples: [{ cardLimits: { dailyLimit: 500 }, metadata: { team: "travel" } }] });

export type ChangeCardRequest = z.infer<typeof ChangeCardBody>;

/** For operations that need nothing but the card they are sent to. */
export const NoBody = z.strictObject({}).nullish();
