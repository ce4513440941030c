import type { Operation } from "../../engine/operation.ts";
import { insert, update } from "../../engine/table.ts";
import type { Currency } from "../../foundation/currencies.ts";
import { decimalText } from "../../foundation/money.ts";
import { availableMinor } from "../../ledger/accounts.ts";
import { transactions } from "../../transactions/table.ts";
import { completed } from "../../transactions/transaction.ts";
import type { CardFacts } from "../card.ts";
import { cardCounters, needsOfKept } from "../kept-tables.ts";
import { movableCard } from "../loaded-card.ts";
import { numbered } from "../numbering.ts";
import { type DescribedMovedMoney, describeMovedMoney } from "./describe-moved-money.ts";
import { refusePaying } from "./refusals.ts";

export interface Withdrawal {
  transactionId: string;
  card: CardFacts;
  walletId: string;
  amountMinor: bigint;
  /** What must stay available on the card. */
  minimumLeftMinor: bigint;
}

/** Debits the card and credits the wallet. What is held for open authorizations cannot be withdrawn. */
export const withdrawal: Operation<Withdrawal, DescribedMovedMoney> = {
  name: "withdrawal",
  accounts: ({ walletId, card }) => [walletId, card.accountId],
  needs: ({ card }) => needsOfKept(card),
  decide: (view, { transactionId, card, walletId, amountMinor, minimumLeftMinor }, now) => {
    const { accountId, currency } = card;
    const wallet = view.account(walletId);
    const loaded = movableCard(view, card);
    if (loaded === undefined || wallet === undefined) return { refused: "NO_CARD_RECORD" };
    const refusal = refusePaying(card, loaded.status);
    if (refusal !== undefined) return refusal;
    const leftMinor = availableMinor(loaded.account) - amountMinor;
    if (leftMinor < minimumLeftMinor) {
      return { refused: "INSUFFICIENT_FUNDS", message: tooLittleLeft(minimumLeftMinor, currency) };
    }
    const transaction = completed({ transactionId, card, type: "Withdrawal", amountMinor, now });
    const answer = describeMovedMoney(transaction, {
      cardBalanceMinor: loaded.account.postedMinor - amountMinor,
      walletBalanceMinor: wallet.postedMinor + amountMinor,
    });
    const sequenced = numbered(loaded.counters, { eventType: "card.withdrawn", data: answer });
    return {
      effects: {
        postings: [
          {
            entryId: transactionId,
            kind: "Withdrawal",
            debitAccountId: accountId,
            creditAccountId: walletId,
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

const tooLittleLeft = (minimumMinor: bigint, currency: Currency): string =>
  `Insufficient funds: ${decimalText(minimumMinor, currency)} ${currency} must stay available on the card`;
