import { dayOf } from "../authorization/spending.ts";
import type { CardFacts } from "../cards/card.ts";
import { cardCounters, needsOfKept } from "../cards/kept-tables.ts";
import type { Operation } from "../engine/operation.ts";
import { insert, type Load, need, update } from "../engine/table.ts";
import { codes } from "../foundation/codes.ts";
import { isOfAcquirer, keyAtAcquirer } from "../transactions/iso-name.ts";
import { paymentsByRetrieval, paymentsByTrace } from "../transactions/iso-originals.ts";
import { messageKey } from "../transactions/message-key.ts";
import { ANOTHER_MESSAGE } from "../transactions/table.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { unappliedByName, unappliedMessages } from "../transactions/unapplied-table.ts";

/** A reversal whose original has not arrived yet. */
export interface EarlyReversal {
  card: CardFacts;
  networkReference: string;
  /** What it says of its original, see transactions/iso-name. */
  originalKey: string;
  /** Whose that is. */
  originalAcquirer: string;
}

/**
 * Remembers a reversal, so that its original is declined when it comes. If the original came a moment ago, as
 * is seen under the lock of the card's account, its transaction is the answer.
 */
export const rememberReversal: Operation<EarlyReversal, { transactionId?: string }> = {
  name: "remember-reversal",
  accounts: ({ card }) => [card.accountId],
  needs: ({ card, networkReference, originalKey }) => [
    ...needsOfKept(card),
    need(unappliedByName, messageKey("Reversal", networkReference)),
    need(loadOf(originalKey), `${card.cardId} ${originalKey}`),
  ],
  decide: (view, { card, networkReference, originalKey, originalAcquirer }, now) => {
    const [before] = view.rows(unappliedByName, messageKey("Reversal", networkReference));
    if (before !== undefined && before.cardId !== card.cardId) return ANOTHER_MESSAGE;
    const none = { postings: [], events: [] };
    if (before !== undefined) return { effects: none, answer: {} };
    const original = view
      .rows(loadOf(originalKey), `${card.cardId} ${originalKey}`)
      .find((found) => isOfAcquirer(found.networkReference, originalAcquirer));
    if (original !== undefined) {
      return { effects: none, answer: { transactionId: original.transactionId } };
    }
    const counters = view.row(cardCounters, card.cardId);
    if (counters === undefined) return { refused: "NO_CARD_RECORD" };
    const row = insert(unappliedMessages, {
      networkReference,
      requestType: "Reversal",
      cardId: card.cardId,
      responseCode: codes.SUCCESS.code,
      originalKey: keyAtAcquirer(originalKey, originalAcquirer),
      createdAt: now,
    });
    // Clocks of several processes differ a little, and another's may be ahead.
    const earlyReversalDay = Math.max(counters.earlyReversalDay, dayOf(now));
    const noted = update(cardCounters, { ...counters, earlyReversalDay });
    return { effects: { ...none, rows: [row, noted] }, answer: {} };
  },
};

const loadOf = (originalKey: string): Load<Transaction> =>
  originalKey.startsWith("T") ? paymentsByTrace : paymentsByRetrieval;
