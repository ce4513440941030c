import type { EntryMode } from "../../../authorization/purchase.ts";
import type { Message } from "../fields.ts";
import { readElement } from "./element.ts";

/**
 * The first two digits of DE 22. The card's number told without the card (typed in, on file, or on
 * the internet) is e-commerce. A stripe read without contact needs what contactless needs, and a
 * chip card whose stripe was read because its chip failed is a stripe.
 */
const entryModes: Readonly<Record<string, EntryMode>> = {
  "01": "Ecommerce",
  "02": "MagStripe",
  "05": "Chip",
  "07": "Contactless",
  "10": "Ecommerce",
  "80": "MagStripe",
  "81": "Ecommerce",
  "90": "MagStripe",
  "91": "Contactless",
  "95": "Chip",
};

/** DE 22. Nothing where it is absent or tells of none of these. */
export function entryModeOf(message: Message): EntryMode | undefined {
  return readElement(message, 22, (text) => entryModes[text.slice(0, 2)]);
}
