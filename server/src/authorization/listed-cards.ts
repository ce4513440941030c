import { BoundedMap } from "../foundation/bounded-map.ts";

const MAX_REMEMBERED = 20_000;

/**
 * Which cards had lists of merchants when they last bought. Their purchases name the merchant among what they need,
 * which saves their batch a trip. Nothing depends on it: what the account says decides whether one is looked for.
 */
export class ListedCards {
  readonly #listed = new BoundedMap<string, boolean>(MAX_REMEMBERED);

  has(cardId: string): boolean {
    return this.#listed.get(cardId) === true;
  }

  note(cardId: string, isListed: boolean): void {
    if (isListed !== this.has(cardId)) this.#listed.set(cardId, isListed);
  }
}
