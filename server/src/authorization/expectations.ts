import type { CardCounters } from "../cards/card.ts";
import { BoundedMap } from "../foundation/bounded-map.ts";
import { DAYS_KEPT } from "../transactions/unapplied-table.ts";
import { dayOf } from "./spending.ts";

const MAX_REMEMBERED = 20_000;

/** What must be looked for besides, for few cards. */
export interface Extras {
  /** Whether the merchant is on one of the card's lists. */
  listed: boolean;
  /** Whether a reversal came before the purchase. */
  reversed: boolean;
}

const NONE: Extras = { listed: false, reversed: false };

/** What the account says must be looked for. */
export const extrasOf = (counters: CardCounters, now: Date): Extras => ({
  listed: hasLists(counters),
  reversed: hasEarlyReversals(counters, now),
});

export const hasLists = ({ whiteListedMids, blackListedMids }: CardCounters): boolean =>
  whiteListedMids + blackListedMids > 0;

export const hasEarlyReversals = ({ earlyReversalDay }: CardCounters, now: Date): boolean =>
  earlyReversalDay >= dayOf(now) - DAYS_KEPT;

/**
 * What had to be looked for when each card bought last. Its next purchase names that among what it needs, which saves
 * its batch a trip. Nothing depends on it: what the account says decides.
 */
export class Expectations {
  readonly #ofCards = new BoundedMap<string, Extras>(MAX_REMEMBERED);

  of(cardId: string): Extras {
    return this.#ofCards.get(cardId) ?? NONE;
  }

  note(cardId: string, extras: Extras): void {
    const { listed, reversed } = this.of(cardId);
    if (listed !== extras.listed || reversed !== extras.reversed) this.#ofCards.set(cardId, extras);
  }
}
