import { newReference } from "@florin/sdk";
import { usageFailure } from "../exit.ts";

/** The Reference that was typed, or a new one. */
export function referenceOf(given: string | undefined): string {
  if (given === undefined) return newReference();
  if (/^[!-~]{1,30}$/.test(given)) return given;
  throw usageFailure("A Reference has 1 to 30 printable ASCII characters and no spaces.");
}
