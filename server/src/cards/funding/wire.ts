import { z } from "zod";
import { amount } from "../../http/schema.ts";
import { transactionFields } from "../../transactions/wire.ts";

export const MovedMoney = z
  .strictObject({
    ...transactionFields,
    cardBalance: amount,
    walletBalance: amount.optional(),
  })
  .meta({
    id: "MovedMoney",
    description: "The transaction that moved the money, and the balances it left",
  });
