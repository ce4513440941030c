import type { Operation } from "../../engine/operation.ts";
import { need, update } from "../../engine/table.ts";
import { formatAmount } from "../../foundation/money.ts";
import type { CardFacts } from "../card.ts";
import { endIfExhausted } from "../closing/exhausted.ts";
import { cardCounters, needsOfKept } from "../kept-tables.ts";
import { numbered } from "../numbering.ts";
import { collectCharges } from "./collect.ts";
import { type DescribedCharge, describeCharge } from "./describe.ts";
import { pendingChargesOfCard } from "./table.ts";

export interface Reprocess {
  card: CardFacts;
  walletId: string;
  transactionIds: readonly string[];
}

export interface Reprocessed {
  /** Whether it takes another step. */
  hasMore: boolean;
  collected: DescribedCharge[];
  pending: DescribedCharge[];
  cardBalance: number;
}

/**
 * Tries a card's pending charges again, whatever its status: only what is there is taken. A purchase
 * that the wallet paid for is charged to the wallet. The last step uses up the Reference.
 */
export const reprocess: Operation<Reprocess, Reprocessed> = {
  name: "reprocess-charges",
  accounts: ({ card, walletId }) => [card.accountId, walletId],
  needs: ({ card }) => [...needsOfKept(card), need(pendingChargesOfCard, card.cardId)],
  decide: (view, { card, walletId, transactionIds }, now) => {
    const account = view.account(card.accountId);
    const wallet = view.account(walletId);
    if (account === undefined || wallet === undefined) return { refused: "NO_CARD_RECORD" };
    const { collected, pending, hasMore, effects, balancesMinor, counters } = collectCharges(view, {
      charges: view.rows(pendingChargesOfCard, card.cardId),
      cards: [card],
      accounts: [account, wallet],
      transactionIds,
      now,
    });
    const balanceMinor = balancesMinor.get(card.accountId) ?? account.postedMinor;
    const answer = {
      hasMore,
      collected: collected.map(describeCharge),
      pending: pending.map(describeCharge),
      cardBalance: formatAmount(balanceMinor, card.currency),
    };
    const counted = counters.get(card.cardId);
    if (counted === undefined) return { refused: "NO_CARD_RECORD" };
    const end = endIfExhausted(view, card, { ...account, postedMinor: balanceMinor }, counted, now);
    const sequenced = numbered(counted, ...end.events);
    return {
      effects: {
        postings: effects.postings,
        rows: [
          ...effects.rows,
          ...end.rows,
          ...(end.events.length === 0 ? [] : [update(cardCounters, sequenced.counters)]),
        ],
        events: [...effects.events, ...sequenced.events],
      },
      answer,
      resourceId: card.cardId,
      isUnsettled: hasMore,
    };
  },
};
