import { z } from "zod";
import { amount, id } from "../../http/schema.ts";
import { transactionFields } from "../../transactions/wire.ts";

export const MovedMoney = z
  .strictObject({
    ...transactionFields,
    cardBalance: amount,
    walletBalance: amount.optional().meta({ description: "Where the wallet was moved too" }),
    sourceCardId: id("card").optional().meta({ description: "Transfers: the card that paid" }),
    beneficiaryCardId: id("card")
      .optional()
      .meta({ description: "Transfers: the card that got it" }),
  })
  .meta({
    id: "MovedMoney",
    description: "The transaction that moved the money, and the balances it left",
  });
