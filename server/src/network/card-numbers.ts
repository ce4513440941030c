import { createHmac, randomBytes } from "node:crypto";
import { type FoundCard, findCardByPan } from "../cards/by-pan.ts";
import type { Reads } from "../db/reads.ts";
import { BoundedMap } from "../foundation/bounded-map.ts";
import { Failure } from "../foundation/failure.ts";
import type { Vault } from "../keys/vault.ts";

const MAX_REMEMBERED = 20_000;

/**
 * Finds cards by their numbers, which never change. What was found is remembered under a hash that means
 * nothing outside this process, so that no card number stays in memory.
 */
export class CardNumbers {
  readonly #deps: { reads: Reads; vault: Vault };
  readonly #key = randomBytes(32);
  readonly #known = new BoundedMap<string, FoundCard>(MAX_REMEMBERED);

  constructor(deps: { reads: Reads; vault: Vault }) {
    this.#deps = deps;
  }

  /** Refuses what is no card's number (148). */
  find(pan: string): FoundCard | Promise<FoundCard> {
    const hash = createHmac("sha256", this.#key).update(pan).digest("base64");
    return this.#known.get(hash) ?? this.#ask(pan, hash);
  }

  async #ask(pan: string, hash: string): Promise<FoundCard> {
    const found = await findCardByPan(this.#deps, pan);
    if (found === undefined) throw new Failure("NO_CARD_RECORD");
    this.#known.set(hash, found);
    return found;
  }
}
