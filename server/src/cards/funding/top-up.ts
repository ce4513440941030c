import type { Operation } from "../../engine/operation.ts";
import { insert, update } from "../../engine/table.ts";
import { availableMinor } from "../../ledger/accounts.ts";
import { transactions } from "../../transactions/table.ts";
import { completed } from "../../transactions/transaction.ts";
import type { CardFacts } from "../card.ts";
import { cardCounters, needsOfKept } from "../kept-tables.ts";
import { movableCard } from "../loaded-card.ts";
import { numbered } from "../numbering.ts";
import { type DescribedMovedMoney, describeMovedMoney } from "./describe-moved-money.ts";
import { refuseReceiving } from "./refusals.ts";

export interface TopUp {
  transactionId: string;
  card: CardFacts;
  walletId: string;
  amountMinor: bigint;
  /** The most that one top-up of this programme may bring. */
  maximumMinor: bigint;
}

/** Debits the wallet and credits the card. A frozen card can be topped up too. */
export const topUp: Operation<TopUp, DescribedMovedMoney> = {
  name: "top-up",
  accounts: ({ walletId, card }) => [walletId, card.accountId],
  needs: ({ card }) => needsOfKept(card),
  decide: (view, { transactionId, card, walletId, amountMinor, maximumMinor }, now) => {
    const { accountId, currency } = card;
    const wallet = view.account(walletId);
    const loaded = movableCard(view, card);
    if (loaded === undefined) return { refused: "NO_CARD_RECORD" };
    const refusal = refuseReceiving(card, loaded.status);
    if (refusal !== undefined) return refusal;
    if (amountMinor > maximumMinor) return { refused: "MAX_TOP_UP_LIMIT_EXCEEDED" };
    if (wallet === undefined || availableMinor(wallet) < amountMinor) {
      return { refused: "INSUFFICIENT_FUNDS" };
    }
    const transaction = completed({ transactionId, card, type: "TopUp", amountMinor, now });
    const answer = describeMovedMoney(transaction, {
      cardBalanceMinor: loaded.account.postedMinor + amountMinor,
      walletBalanceMinor: wallet.postedMinor - amountMinor,
    });
    const { cardBalance, walletBalance } = answer;
    const sequenced = numbered(loaded.counters, {
      eventType: "card.topped_up",
      opensTransactionId: transactionId,
      data: { cardBalance, walletBalance },
    });
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
        rows: [insert(transactions, transaction), update(cardCounters, sequenced.counters)],
        events: sequenced.events,
      },
      answer,
      resourceId: transactionId,
    };
  },
};
