import { isServerError } from "../../db/errors.ts";
import type { Reads } from "../../db/reads.ts";
import { Failure } from "../../foundation/failure.ts";
import type { DerivationKey, Vault } from "../../keys/vault.ts";
import type { Programme } from "../../programmes/programmes.ts";
import { findCardUnder } from "../by-pan.ts";
import { type Draw, newPan } from "../pan.ts";

const TRIES = 20;
/** How many numbers of a BIN are looked for beforehand after one that was drawn had a card. */
const WARY = 100;

export interface FreePansOptions {
  reads: Reads;
  vault: Pick<Vault, "derivationKey" | "derivationKeys">;
  draw?: Draw;
}

/**
 * Draws card numbers that no card has. The database keeps those apart that are hashed under one key, and most BINs are
 * nearly empty, so a number is tried without looking for it first; under other keys it is always looked for. A number
 * that had a card makes the whole batch of its card be done anew, so for a while its BIN's numbers are looked for.
 */
export class FreePans {
  readonly #options: FreePansOptions;
  /** How many more numbers of a BIN are looked for beforehand. */
  readonly #wary = new Map<string, number>();

  constructor(options: FreePansOptions) {
    this.#options = options;
  }

  /** Runs `use` with a number, and the key that it must be hashed under. */
  async with<T>(
    { bin, panLength }: Programme,
    use: (pan: string, hashKey: DerivationKey) => Promise<T>,
  ): Promise<T> {
    const { vault, draw } = this.#options;
    for (let triesLeft = TRIES; triesLeft > 0; triesLeft--) {
      const pan = newPan(bin, panLength, draw);
      const hashKey = vault.derivationKey("pan-hash");
      if (!(await this.#isFound(bin, pan, hashKey))) {
        try {
          return await use(pan, hashKey);
        } catch (error) {
          if (!isTaken(error)) throw error;
        }
      }
      this.#wary.set(bin, WARY);
    }
    throw new Failure("PROGRAM_RESTRICTION", {
      message: "The programme has hardly any card numbers left",
    });
  }

  async #isFound(bin: string, pan: string, hashKey: DerivationKey): Promise<boolean> {
    const { reads, vault } = this.#options;
    const wary = this.#wary.get(bin) ?? 0;
    if (wary > 0) this.#wary.set(bin, wary - 1);
    const keys = vault
      .derivationKeys("pan-hash")
      .filter(({ version }) => wary > 0 || version !== hashKey.version);
    return (await findCardUnder(reads, keys, pan)) !== undefined;
  }
}

const isTaken = (error: unknown): boolean =>
  isServerError(error) && error.constraint === "card_secrets_by_pan";
