import { z } from "zod";
import { addressInput } from "../../http/address.ts";
import {
  amountAsked,
  amountAskedOrZero,
  amountToJudgeOrZero,
  cardIdToJudge,
  currency,
  pathId,
} from "../../http/schema.ts";
import { cardLimits, mccList, metadata } from "../settings/wire.ts";

const customerId = pathId("cus").meta({ description: "A customer whose verification is Approved" });

const movedAtFirst = { description: "Moved from your wallet; 0 moves nothing" };

const contactlessPayment = z.boolean().default(false).meta({
  description: "Whether the card may pay contactless and from digital wallets",
});

/** A letter with its accents is not always one character: the ọ̀ of Yoruba is two. */
const WRITTEN_NAME = /^(?:\p{Script=Latin}\p{Mn}*|[\d .\-'&/])*$/u;

const nameOnCard = z
  .string()
  .trim()
  .normalize("NFC")
  .min(1)
  .max(26)
  .regex(WRITTEN_NAME, "may hold letters, digits, spaces and . - ' & /")
  // What is written on a card is shown, and told in events.
  .refine((name) => name.replace(/\D/g, "").length < 13, "must not hold a card number")
  .meta({ description: "The customer's name unless said otherwise", examples: ["ADA OBI"] });

const address = addressInput.optional().meta({ description: "The billing address" });

/** What every card may be issued with. */
const settings = {
  cardLimits: cardLimits.optional(),
  whiteListedMccs: mccList.optional(),
  blackListedMccs: mccList.optional(),
  metadata: metadata.optional(),
};

export const IssueCardBody = z
  .strictObject({
    customerId,
    currency: currency.default("USD"),
    initialBalance: amountAskedOrZero.meta(movedAtFirst).default(0),
    nameOnCard: nameOnCard.optional(),
    contactlessPayment,
    ...settings,
    address,
  })
  .meta({
    examples: [
      {
        customerId: "cus_01kc2m8v4qd0s7xfh3bzn6rwte",
        initialBalance: 25.5,
        cardLimits: { dailyLimit: 500 },
        blackListedMccs: ["7995"],
        metadata: { team: "travel" },
      },
    ],
  });

export const IssueLiteBody = z
  .strictObject({
    customerId,
    balance: amountAsked.meta({ description: "What the card can spend in all, from your wallet" }),
    swipeCount: z
      .int()
      .min(1)
      .meta({
        description: "After so many approved purchases the card terminates",
        examples: [3],
      }),
    currency: currency.default("USD"),
    ...settings,
  })
  .meta({
    examples: [{ customerId: "cus_01kc2m8v4qd0s7xfh3bzn6rwte", balance: 25.5, swipeCount: 3 }],
  });

export const ReissueBody = z
  .strictObject({
    customerId,
    sharedBalance: z.boolean().meta({
      description:
        "true: the new card spends from the account of `cardId`. false: it gets an account of its own",
    }),
    // What these two hold is checked later: whether they may be sent at all comes first.
    cardId: cardIdToJudge.optional(),
    initialBalance: amountToJudgeOrZero.meta(movedAtFirst).optional(),
    contactlessPayment,
    ...settings,
    address,
  })
  .meta({
    examples: [
      { customerId: "cus_01kc2m8v4qd0s7xfh3bzn6rwte", sharedBalance: false, initialBalance: 25.5 },
    ],
  });

export type IssueCardRequest = z.infer<typeof IssueCardBody>;
export type IssueLiteRequest = z.infer<typeof IssueLiteBody>;
export type ReissueRequest = z.infer<typeof ReissueBody>;
