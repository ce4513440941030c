import type { Operation } from "../../engine/operation.ts";
import { insert, need, update } from "../../engine/table.ts";
import { availableMinor } from "../../ledger/accounts.ts";
import { transactions } from "../../transactions/table.ts";
import { completed } from "../../transactions/transaction.ts";
import type { CardFacts } from "../card.ts";
import { numbered } from "../numbering.ts";
import { cardById, cardCounters, cards, countersOfCard } from "../tables.ts";
import { type Moved, moved } from "./moved.ts";

export interface TopUp {
  transactionId: string;
  card: CardFacts;
  walletId: string;
  amountMinor: bigint;
  /** The most that one top-up of this programme may bring. */
  maximumMinor: bigint;
}

const LITE = "A lite card cannot be topped up";

/** Debits the wallet and credits the card. A frozen card can be topped up too. */
export const topUp: Operation<TopUp, Moved> = {
  name: "top-up",
  accounts: ({ walletId, card }) => [walletId, card.accountId],
  needs: ({ card }) => [need(cardById, card.cardId), need(countersOfCard, card.cardId)],
  decide: (view, { transactionId, card, walletId, amountMinor, maximumMinor }, now) => {
    const { cardId, accountId, currency } = card;
    const wallet = view.account(walletId);
    const account = view.account(accountId);
    const status = view.row(cards, cardId)?.status;
    const counters = view.row(cardCounters, cardId);
    if (account === undefined || counters === undefined) return { refused: "NO_CARD_RECORD" };
    if (status === "Terminated") return { refused: "CARD_CLOSED" };
    if (card.type === "Lite") return { refused: "TRANSACTION_NOT_PERMITTED", message: LITE };
    if (amountMinor > maximumMinor) return { refused: "MAX_TOP_UP_LIMIT_EXCEEDED" };
    if (wallet === undefined || availableMinor(wallet) < amountMinor) {
      return { refused: "INSUFFICIENT_FUNDS" };
    }
    const transaction = completed({ transactionId, card, type: "TopUp", amountMinor, now });
    const answer = moved(transaction, {
      cardBalanceMinor: account.postedMinor + amountMinor,
      walletBalanceMinor: wallet.postedMinor - amountMinor,
    });
    const told = numbered(counters, { eventType: "card.topped_up", data: answer });
    return {
      effects: {
        postings: [
          {
            entryId: transactionId,
            kind: "TopUp",
            debitAccountId: walletId,
            creditAccountId: accountId,
            amountMinor,
            currency,
            transactionId,
          },
        ],
        rows: [insert(transactions, transaction), update(cardCounters, told.counters)],
        events: told.events,
      },
      answer,
      resourceId: transactionId,
    };
  },
};
