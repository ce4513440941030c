import { z } from "zod";
import { entryModes, purchaseTypes } from "../../authorization/purchase.ts";
import { country } from "../../http/address.ts";
import { amountAsked, amountAskedOrZero, cardId, currency, line } from "../../http/schema.ts";
import { MID_PATTERN } from "../../transactions/transaction.ts";

/** Where a card pays unless a merchant is given. */
export const DEFAULT_MERCHANT = {
  mid: "SIMULATOR",
  mcc: "5999",
  name: "Simulated Shop",
  city: "Anywhere",
};

const merchant = z
  .strictObject({
    mid: z
      .string()
      .regex(MID_PATTERN, "must be 1 to 15 letters or digits")
      .default(DEFAULT_MERCHANT.mid),
    mcc: z
      .string()
      .regex(/^\d{4}$/, "must be 4 digits")
      .default(DEFAULT_MERCHANT.mcc),
    name: line(100).default(DEFAULT_MERCHANT.name),
    city: line(100).default(DEFAULT_MERCHANT.city),
    country: country.optional(),
  })
  .meta({
    description: "Where it happens; a merchant of the card's country unless said otherwise",
  });

const networkReference = z
  .string()
  .regex(/^[\x21-\x7e]{1,64}$/, "must be 1 to 64 printable ASCII characters without spaces")
  .optional()
  .meta({
    description:
      "Names the message: one that repeats is answered as the first was, with no second effect",
  });

/** An amount that may be 0, as an account verification's. */
export const PurchaseBody = z
  .strictObject({
    cardId,
    amount: amountAskedOrZero,
    currency: currency.optional().meta({ description: "The card's, unless given" }),
    requestType: z.enum(purchaseTypes).default("Authorization"),
    merchant: merchant.optional(),
    entryMode: z.enum(entryModes).default("Ecommerce"),
    cvv: z
      .string()
      .regex(/^\d{3,4}$/, "must be 3 or 4 digits")
      .optional(),
    expiryMonth: z.int().min(1).max(12).optional(),
    expiryYear: z.int().min(2000).max(2100).optional(),
    networkReference,
  })
  .meta({
    examples: [{ cardId: "card_01kc2m8v4qd0s7xfh3bzn6rwte", amount: 25.5 }],
  });

/** All that is left is meant where nothing is said, not even a body. */
export const FollowUpBody = z
  .strictObject({
    amount: amountAsked.optional().meta({ description: "All that is left, unless given" }),
    partial: z.boolean().optional().meta({
      description: "Whether more settlements will follow, so that the rest stays held",
    }),
    networkReference,
  })
  .nullable();

export const PostBody = z
  .strictObject({
    cardId,
    amount: amountAsked,
    currency: currency.optional(),
    merchant: merchant.optional(),
    networkReference,
  })
  .meta({
    examples: [{ cardId: "card_01kc2m8v4qd0s7xfh3bzn6rwte", amount: 25.5 }],
  });

export type MerchantInput = z.output<typeof merchant>;
