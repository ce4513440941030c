import type { Billing } from "../authorization/billing.ts";
import { spendingTime, spentWith } from "../authorization/spending.ts";
import type { CardFacts } from "../cards/card.ts";
import { cardCounters, needsOfKept } from "../cards/kept-tables.ts";
import type { Decision, Operation } from "../engine/operation.ts";
import { insert, need, type RowChange } from "../engine/table.ts";
import type { View } from "../engine/view.ts";
import type { Currency } from "../foundation/currencies.ts";
import { timeOf } from "../foundation/ids.ts";
import { formatAmount } from "../foundation/money.ts";
import { messageKey } from "../transactions/message-key.ts";
import { ANOTHER_MESSAGE, byNetworkReference, transactions } from "../transactions/table.ts";
import type { Merchant, Transaction } from "../transactions/transaction.ts";
import { type Cleared, finish } from "./finish.ts";
import { messageByKey, networkMessages } from "./message-table.ts";
import { beginMovement, type CrossBorder, chargeAbroad, clear } from "./movement.ts";

/** A settlement without an authorization (a force post), or a refund without a settlement. */
export interface Post {
  transactionId: string;
  type: "Settlement" | "Refund";
  card: CardFacts;
  fundingAccountId: string;
  walletId: string;
  amountMinor: bigint;
  currency: Currency;
  /** Null where the programme has no rate for the currency. */
  billing: Billing | null;
  merchant: Merchant;
  networkReference: string;
  entryId: string;
  payoutTransactionId: string;
  crossBorder?: CrossBorder | undefined;
  /** Set where the organization decided the payment, and is told of this. */
  adviceId?: string | undefined;
}

/** Posts what the network says happened; no card status and no balance can refuse it, only a currency without a rate. */
export const post: Operation<Post, Cleared> = {
  name: "post",
  accounts: ({ card, fundingAccountId, walletId }) => [card.accountId, fundingAccountId, walletId],
  needs: ({ card, networkReference, type }) => [
    ...needsOfKept(card),
    need(byNetworkReference, messageKey(type, networkReference)),
    need(messageByKey, messageKey(type, networkReference)),
  ],
  decide: (view, input, now) => {
    const { card, type, transactionId, entryId, billing } = input;
    const counters = view.row(cardCounters, card.cardId);
    const funding = view.account(input.fundingAccountId);
    if (counters === undefined || funding === undefined) return { refused: "NO_CARD_RECORD" };
    const repeated = repetition(view, input);
    if (repeated !== undefined) return repeated;
    if (billing === null) return { refused: "CURRENCY_NOT_SUPPORTED" };
    const transaction = recorded(input, billing, { now, at: spendingTime(counters, now) });
    const { amountMinor } = billing;
    const isSettlement = type === "Settlement";
    const movement = beginMovement(funding);
    clear(movement, isSettlement ? amountMinor : -amountMinor, {
      entryId,
      transactionId,
      kind: type,
    });
    if (input.crossBorder !== undefined && isSettlement) {
      chargeAbroad(movement, { transaction, card, amountMinor, now }, input.crossBorder);
    }
    return finish(view, {
      ...input,
      transaction,
      eventType: isSettlement ? "transaction.settled" : "transaction.refunded",
      // What is settled counts for the day it comes; refunds never give a day anything back.
      counters: isSettlement ? spentWith(counters, amountMinor, now) : counters,
      movement,
      amountMinor,
      rows: [insert(transactions, transaction), remembered(transaction, input)],
      now,
    });
  },
};

/** A repeated post is answered as before; the name of another card's post, or of a follow-up, is refused. */
function repetition(
  view: View,
  { card, type, networkReference, walletId }: Post,
): Decision<Cleared> | undefined {
  const [before] = view.rows(byNetworkReference, messageKey(type, networkReference));
  const account = view.account(card.accountId);
  if (before !== undefined && before.cardId === card.cardId && account !== undefined) {
    const wallet = before.accountId === walletId ? view.account(walletId) : undefined;
    const answer = { transaction: before, account, ...(wallet && { wallet }) };
    return { effects: { postings: [], events: [] }, answer, resourceId: before.transactionId };
  }
  const isKnown = view.rows(messageByKey, messageKey(type, networkReference)).length > 0;
  return before !== undefined || isKnown ? ANOTHER_MESSAGE : undefined;
}

function remembered(
  { transactionId, stage, amountMinor, createdAt }: Transaction,
  { type: requestType, networkReference }: Post,
): RowChange {
  const about = { networkReference, requestType, transactionId, stage, amountMinor };
  return insert(networkMessages, { ...about, confirms: false, createdAt });
}

function recorded(
  input: Post,
  billing: Billing,
  { now, at }: { now: Date; at: Date },
): Transaction {
  const { card, type, amountMinor, currency } = input;
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
    events: [{ requestType: type, amount, responseCode: "000", at: at.toISOString() }],
    billingRate: billing.rate,
    expiresAt: null,
    decision: null,
    createdAt: timeOf(input.transactionId),
    updatedAt: now,
  };
}
