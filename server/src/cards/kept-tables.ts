import { annexById } from "../engine/annexes.ts";
import { type Need, need, type Place, type Table } from "../engine/table.ts";
import { packMinor, unpackMinor } from "../foundation/money.ts";
import type { CardCounters, CardFacts, CardTerms } from "./card.ts";

/**
 * What every purchase counts up and must know of its card. Both are kept in the account, which every purchase locks,
 * reads and writes anyway, so that they take no rows more; those of a card that came to share it, in an annex of the
 * account. SQL reads them by the names they have here, too.
 */

/** What must be read to find them, besides the account. */
export const needsOfKept = ({ cardId, isGuest }: Pick<CardFacts, "cardId" | "isGuest">): Need[] =>
  isGuest ? [need(annexById, cardId)] : [];

const placeOf = ({ accountId, isGuest }: Pick<CardFacts, "accountId" | "isGuest">): Place => ({
  accountId,
  isAnnexed: isGuest,
});

interface StoredCounters {
  card: string;
  events: number;
  swipes: number;
  day: number;
  spent: number | string;
  mids: [white: number, black: number];
  early: number;
}

export const cardCounters: Table<CardCounters> = {
  name: "counters",
  idOf: ({ cardId }) => cardId,
  inAccount: {
    placeOf,
    read: ({ organizationId, accountId, annexId, kept }) =>
      ((kept?.counters ?? []) as readonly StoredCounters[]).map((stored) => ({
        organizationId,
        cardId: stored.card,
        accountId,
        isGuest: annexId !== undefined,
        eventSequence: BigInt(stored.events),
        swipesUsed: stored.swipes,
        spentDay: stored.day,
        spentMinor: unpackMinor(stored.spent),
        whiteListedMids: stored.mids[0],
        blackListedMids: stored.mids[1],
        earlyReversalDay: stored.early,
      })),
    write: (counters): StoredCounters => ({
      card: counters.cardId,
      events: Number(counters.eventSequence),
      swipes: counters.swipesUsed,
      day: counters.spentDay,
      spent: packMinor(counters.spentMinor),
      mids: [counters.whiteListedMids, counters.blackListedMids],
      early: counters.earlyReversalDay,
    }),
  },
};

interface StoredTerms {
  card: string;
  status: CardTerms["status"];
  expires: [year: number, month: number];
  contactless: boolean;
  daily: number | string | null;
  each: number | string | null;
  mccs: [white: string[], black: string[]];
  swipes: number | null;
}

/** Written with the card's own row, of which it is a part. */
export const cardTerms: Table<CardTerms> = {
  name: "terms",
  idOf: ({ cardId }) => cardId,
  inAccount: {
    placeOf,
    read: ({ organizationId, accountId, annexId, kept }) =>
      ((kept?.terms ?? []) as readonly StoredTerms[]).map((stored) => ({
        organizationId,
        cardId: stored.card,
        accountId,
        isGuest: annexId !== undefined,
        status: stored.status,
        expiryYear: stored.expires[0],
        expiryMonth: stored.expires[1],
        contactlessPayment: stored.contactless,
        dailyLimitMinor: stored.daily === null ? null : unpackMinor(stored.daily),
        transactionLimitMinor: stored.each === null ? null : unpackMinor(stored.each),
        whiteListedMccs: stored.mccs[0],
        blackListedMccs: stored.mccs[1],
        swipeCount: stored.swipes,
      })),
    write: (terms): StoredTerms => ({
      card: terms.cardId,
      status: terms.status,
      expires: [terms.expiryYear, terms.expiryMonth],
      contactless: terms.contactlessPayment,
      daily: terms.dailyLimitMinor === null ? null : packMinor(terms.dailyLimitMinor),
      each: terms.transactionLimitMinor === null ? null : packMinor(terms.transactionLimitMinor),
      mccs: [terms.whiteListedMccs, terms.blackListedMccs],
      swipes: terms.swipeCount,
    }),
  },
};

export const termsOf = (card: CardTerms): CardTerms => ({
  cardId: card.cardId,
  accountId: card.accountId,
  isGuest: card.isGuest,
  status: card.status,
  expiryYear: card.expiryYear,
  expiryMonth: card.expiryMonth,
  contactlessPayment: card.contactlessPayment,
  dailyLimitMinor: card.dailyLimitMinor,
  transactionLimitMinor: card.transactionLimitMinor,
  whiteListedMccs: card.whiteListedMccs,
  blackListedMccs: card.blackListedMccs,
  swipeCount: card.swipeCount,
});
