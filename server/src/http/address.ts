import { z } from "zod";
import { isCountryCode, parseCountry } from "../foundation/countries.ts";
import { line } from "./schema.ts";

/** ISO 3166 alpha-2, whichever way it was written. Overwritten rather than transformed, to keep its example. */
export const country = z
  .string()
  .refine((text) => parseCountry(text) !== undefined, {
    error: "must be a country: its ISO 3166 code or English name",
  })
  .overwrite((text) => parseCountry(text) ?? text)
  .meta({
    description: "ISO 3166 alpha-2 or alpha-3 code, or the English name",
    examples: ["NG"],
  });

/** An address as clients send it. */
export const addressInput = z
  .strictObject({
    street: line(200).meta({ examples: ["1 Marina Road"] }),
    city: line(100).meta({ examples: ["Lagos"] }),
    state: line(100).meta({ examples: ["Lagos"] }),
    postalCode: line(20).optional(),
    country,
  })
  .meta({ id: "NewAddress" });

/** An address as we tell it. */
export const Address = z
  .strictObject({
    street: z.string().meta({ examples: ["1 Marina Road"] }),
    city: z.string().meta({ examples: ["Lagos"] }),
    state: z.string().meta({ examples: ["Lagos"] }),
    postalCode: z.string().optional(),
    country: z
      .string()
      .refine(isCountryCode)
      .meta({ description: "ISO 3166 alpha-2", examples: ["NG"], pattern: "^[A-Z]{2}$" }),
  })
  .meta({ id: "Address" });
