import { dayOf } from "../authorization/gather.ts";
import type { CardCounters, CardFacts } from "../cards/card.ts";
import { cardCounters, cardsOfAccount, countersOfCard } from "../cards/tables.ts";
import type { Operation } from "../engine/operation.ts";
import { insert, need } from "../engine/table.ts";
import type { Currency } from "../foundation/currencies.ts";
import { formatAmount } from "../foundation/money.ts";
import { byNetworkReference, networkKey, transactions } from "../transactions/table.ts";
import type { Merchant, Transaction } from "../transactions/transaction.ts";
import { type Cleared, finish } from "./finish.ts";
import { type CrossBorder, charge, clear, still } from "./money.ts";

/** A settlement without an authorization (a force post), or a refund without a settlement. */
export interface Post {
  transactionId: string;
  type: "Settlement" | "Refund";
  card: CardFacts;
  fundingAccountId: string;
  walletId: string;
  amountMinor: bigint;
  currency: Currency;
  billing: { amountMinor: bigint; rate: string | null };
  merchant: Merchant;
  networkReference: string;
  entryId: string;
  payoutTransactionId: string;
  crossBorder?: CrossBorder | undefined;
}

/** Posts what the network says happened; no card status and no balance can refuse it. */
export const post: Operation<Post, Cleared> = {
  name: "post",
  accounts: ({ card, fundingAccountId, walletId }) => [card.accountId, fundingAccountId, walletId],
  needs: ({ card, networkReference, type }) => [
    need(countersOfCard, card.cardId),
    need(cardsOfAccount, card.accountId),
    need(byNetworkReference, networkKey(networkReference, type)),
  ],
  decide: (view, input, now) => {
    const { card, type, networkReference, transactionId, entryId } = input;
    const counters = view.row(cardCounters, card.cardId);
    const funding = view.account(input.fundingAccountId);
    const own = view.account(card.accountId);
    if (counters === undefined || funding === undefined || own === undefined) {
      return { refused: "NO_CARD_RECORD" };
    }
    const [before] = view.rows(byNetworkReference, networkKey(networkReference, type));
    if (before !== undefined) {
      const answer = { transaction: before, account: own };
      return {
        effects: { postings: [], events: [] },
        answer,
        resourceId: before.transactionId,
      };
    }
    const transaction = recorded(input, now);
    const { amountMinor } = input.billing;
    const movement = still(funding);
    clear(movement, type === "Settlement" ? amountMinor : -amountMinor, {
      entryId,
      transactionId,
      kind: type,
    });
    const settlement = { transaction, card, amountMinor, now };
    if (input.crossBorder !== undefined && type === "Settlement") {
      charge(movement, settlement, input.crossBorder);
    }
    return finish(view, {
      ...input,
      transaction,
      eventType: type === "Settlement" ? "transaction.settled" : "transaction.refunded",
      counters: type === "Settlement" ? spent(counters, amountMinor, now) : counters,
      movement,
      rows: [insert(transactions, transaction)],
      now,
    });
  },
};

/** What was settled counts for the day it came; refunds never give a day anything back. */
function spent(counters: CardCounters, amountMinor: bigint, now: Date): CardCounters {
  const today = dayOf(now);
  const beforeMinor = counters.spentDay === today ? counters.spentMinor : 0n;
  return { ...counters, spentDay: today, spentMinor: beforeMinor + amountMinor };
}

function recorded(input: Post, now: Date): Transaction {
  const { card, type, amountMinor, currency, billing } = input;
  const amount = formatAmount(amountMinor, currency);
  const isSettlement = type === "Settlement";
  return {
    transactionId: input.transactionId,
    cardId: card.cardId,
    customerId: card.customerId,
    accountId: input.fundingAccountId,
    type,
    stage: type,
    approved: true,
    responseCode: "000",
    amountMinor,
    currency,
    billingAmountMinor: billing.amountMinor,
    billingCurrency: card.currency,
    heldMinor: 0n,
    settledMinor: isSettlement ? billing.amountMinor : 0n,
    reversedMinor: 0n,
    refundedMinor: isSettlement ? 0n : billing.amountMinor,
    overCaptured: false,
    merchant: input.merchant,
    entryMode: null,
    approvalCode: null,
    networkReference: input.networkReference,
    transferId: null,
    events: [{ requestType: type, amount, responseCode: "000", at: now.toISOString() }],
    billingRate: billing.rate,
    expiresAt: null,
    decision: null,
    createdAt: now,
    updatedAt: now,
  };
}
