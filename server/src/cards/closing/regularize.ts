import { annexesOfAccount } from "../../engine/annexes.ts";
import type { Operation } from "../../engine/operation.ts";
import { insert, need, update } from "../../engine/table.ts";
import { availableMinor } from "../../ledger/accounts.ts";
import { transactions } from "../../transactions/table.ts";
import { completed } from "../../transactions/transaction.ts";
import type { CardFacts } from "../card.ts";
import { type DescribedMovedMoney, describeMovedMoney } from "../funding/describe-moved-money.ts";
import { cardCounters, cardTerms } from "../kept-tables.ts";
import { numbered } from "../numbering.ts";

export interface Regularization {
  transactionId: string;
  card: CardFacts;
  walletId: string;
}

const NOT_CLOSED = "Only a balance whose cards are all terminated is regularized; top the card up";
const NOT_NEGATIVE = "The balance is not negative";

/** The wallet pays what a closed account owes, so that it ends at zero. */
export const regularize: Operation<Regularization, DescribedMovedMoney> = {
  name: "regularize",
  accounts: ({ card, walletId }) => [card.accountId, walletId],
  needs: ({ card }) => [need(annexesOfAccount, card.accountId)],
  decide: (view, { transactionId, card, walletId }, now) => {
    const { cardId, accountId, currency } = card;
    const account = view.account(accountId);
    const wallet = view.account(walletId);
    const counters = view.row(cardCounters, cardId);
    if (account === undefined || counters === undefined) return { refused: "NO_CARD_RECORD" };
    const isClosed = view
      .keptIn(cardTerms, accountId)
      .every(({ status }) => status === "Terminated");
    if (!isClosed) return { refused: "TRANSACTION_NOT_PERMITTED", message: NOT_CLOSED };
    const amountMinor = -account.postedMinor;
    if (amountMinor <= 0n) return { refused: "TRANSACTION_NOT_PERMITTED", message: NOT_NEGATIVE };
    if (wallet === undefined || availableMinor(wallet) < amountMinor) {
      return { refused: "INSUFFICIENT_FUNDS" };
    }
    const transaction = completed({
      transactionId,
      card,
      type: "Regularization",
      amountMinor,
      now,
    });
    const answer = describeMovedMoney(transaction, {
      cardBalanceMinor: 0n,
      walletBalanceMinor: wallet.postedMinor - amountMinor,
    });
    const sequenced = numbered(counters, { eventType: "card.regularized", data: answer });
    return {
      effects: {
        postings: [
          {
            entryId: transactionId,
            kind: "Regularization",
            debitAccountId: walletId,
            creditAccountId: accountId,
            amountMinor,
            currency,
            transactionId,
          },
        ],
        rows: [insert(transactions, transaction), update(cardCounters, sequenced.counters)],
        events: sequenced.events,
      },
      answer,
      resourceId: transactionId,
    };
  },
};
