import { z } from "zod";
import { isId } from "../../foundation/ids.ts";
import { pageQuery, rangeQuery } from "../../http/pagination.ts";
import { currency, id } from "../../http/schema.ts";
import { cardStatuses, cardTypes } from "../card.ts";
import { cardFields } from "../wire.ts";

export const CardsQuery = z.strictObject({
  ...pageQuery((text) => isId("card", text)),
  ...rangeQuery,
  status: z.enum(cardStatuses).optional(),
  type: z.enum(cardTypes).optional(),
  customerId: id("cus").optional(),
  currency: currency.optional(),
});

export type CardsRequest = z.infer<typeof CardsQuery>;

export const CardWithSecrets = z
  .strictObject({
    ...cardFields,
    pan: z.string().meta({ description: "The whole card number", examples: ["4111111111111111"] }),
    cvv: z.string().meta({ examples: ["123"] }),
  })
  .meta({
    id: "CardWithSecrets",
    description: "A card with its whole number. Keep it out of your logs and databases",
  });
