import type { Operation } from "../../engine/operation.ts";
import { insert, update } from "../../engine/table.ts";
import { availableMinor } from "../../ledger/accounts.ts";
import { transactions } from "../../transactions/table.ts";
import { completed } from "../../transactions/transaction.ts";
import type { CardFacts } from "../card.ts";
import { cardCounters, needsOfKept } from "../kept-tables.ts";
import { type MovableCard, movableCard } from "../loaded-card.ts";
import { numbered } from "../numbering.ts";
import { type DescribedMovedMoney, describeMovedMoney } from "./describe-moved-money.ts";
import { refusePaying, refuseReceiving } from "./refusals.ts";

export interface Transfer {
  /** Of the paying card; it also names the whole transfer. */
  transactionId: string;
  beneficiaryTransactionId: string;
  source: CardFacts;
  beneficiary: CardFacts;
  amountMinor: bigint;
}

const OTHER_CURRENCY = "The two cards have different currencies";
const SAME_ACCOUNT = "Both cards spend from the same balance";

/** Debits one card and credits another of the same currency: one record and one event for each. */
export const transfer: Operation<Transfer, DescribedMovedMoney> = {
  name: "transfer",
  accounts: ({ source, beneficiary }) => [source.accountId, beneficiary.accountId],
  needs: ({ source, beneficiary }) => [...needsOfKept(source), ...needsOfKept(beneficiary)],
  decide: (view, input, now) => {
    const { transactionId, source, beneficiary, amountMinor } = input;
    const from = movableCard(view, source);
    const to = movableCard(view, beneficiary);
    if (from === undefined || to === undefined) return { refused: "NO_CARD_RECORD" };
    if (source.currency !== beneficiary.currency) {
      return { refused: "CURRENCY_NOT_SUPPORTED", message: OTHER_CURRENCY };
    }
    const refusal = refusePaying(source, from.status) ?? refuseReceiving(beneficiary, to.status);
    if (refusal !== undefined) return refusal;
    if (source.accountId === beneficiary.accountId) {
      return { refused: "TRANSACTION_NOT_PERMITTED", message: SAME_ACCOUNT };
    }
    if (availableMinor(from.account) < amountMinor) return { refused: "INSUFFICIENT_FUNDS" };

    const paid = sideOfTransfer(input, source, from, now);
    const received = sideOfTransfer(input, beneficiary, to, now);
    return {
      effects: {
        postings: [
          {
            entryId: transactionId,
            kind: "Transfer",
            debitAccountId: source.accountId,
            creditAccountId: beneficiary.accountId,
            amountMinor,
            currency: source.currency,
            transactionId,
          },
        ],
        rows: [...paid.rows, ...received.rows],
        events: [...paid.events, ...received.events],
      },
      answer: paid.answer,
      resourceId: transactionId,
    };
  },
};

function sideOfTransfer(
  input: Transfer,
  card: CardFacts,
  { account, counters }: MovableCard,
  now: Date,
) {
  const { transactionId: transferId, source, beneficiary, amountMinor } = input;
  const isPaying = card.cardId === source.cardId;
  const transactionId = isPaying ? transferId : input.beneficiaryTransactionId;
  const part = { transactionId, transferId, card, amountMinor, now };
  const transaction = completed({ ...part, type: "Transfer" });
  const cardBalanceMinor = account.postedMinor + (isPaying ? -amountMinor : amountMinor);
  const answer: DescribedMovedMoney = {
    ...describeMovedMoney(transaction, { cardBalanceMinor }),
    sourceCardId: source.cardId,
    beneficiaryCardId: beneficiary.cardId,
  };
  const sequenced = numbered(counters, { eventType: "card.transferred", data: answer });
  return {
    answer,
    rows: [insert(transactions, transaction), update(cardCounters, sequenced.counters)],
    events: sequenced.events,
  };
}
