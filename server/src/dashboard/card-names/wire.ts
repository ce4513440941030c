import { z } from "zod";
import { isId } from "../../foundation/ids.ts";

/** As many as a page of a list has rows. */
const MAX_CARDS = 100;
const MAX_LENGTH = MAX_CARDS * 32;

export const CardNamesQuery = z.strictObject({
  cardIds: z
    .string()
    .max(MAX_LENGTH)
    .transform((text) => text.split(","))
    .refine(
      (ids) => ids.length <= MAX_CARDS && ids.every((id) => isId("card", id)),
      `must be 1 to ${MAX_CARDS} card ids with commas between them`,
    ),
});
