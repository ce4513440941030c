import { isServerError } from "../../db/errors.ts";
import type { Reads } from "../../db/reads.ts";
import { Failure } from "../../foundation/failure.ts";
import type { Vault } from "../../keys/vault.ts";
import type { Programme } from "../../programmes/programmes.ts";
import { findCardUnderOtherKeys } from "../by-pan.ts";
import { newPan } from "../pan.ts";

const TRIES = 20;

/**
 * Runs `use` with a new card number that no card has. Two may still draw the same one at once: then the
 * database takes the first, and whoever was second draws again.
 */
export async function withFreePan<T>(
  deps: { reads: Reads; vault: Vault },
  { bin, panLength }: Programme,
  use: (pan: string) => Promise<T>,
): Promise<T> {
  for (let triesLeft = TRIES; triesLeft > 0; triesLeft--) {
    const pan = newPan(bin, panLength);
    if ((await findCardUnderOtherKeys(deps, pan)) !== undefined) continue;
    try {
      return await use(pan);
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
  throw new Failure("PROGRAM_RESTRICTION", {
    message: "The programme has hardly any card numbers left",
  });
}

const isTaken = (error: unknown): boolean =>
  isServerError(error) && error.constraint === "card_secrets_by_pan";
