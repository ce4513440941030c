import { dayOf } from "../authorization/gather.ts";
import type { CardCounters, CardFacts } from "../cards/card.ts";
import { cardCounters, cardsOfAccount, countersOfCard } from "../cards/tables.ts";
import type { Decision, Operation } from "../engine/operation.ts";
import { insert, need, update } from "../engine/table.ts";
import type { View } from "../engine/view.ts";
import { formatAmount } from "../foundation/money.ts";
import { transactionById, transactions } from "../transactions/table.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { type Cleared, finish } from "./finish.ts";
import { type Message, type Step, take } from "./life.ts";
import { messageByKey, messageKey, networkMessages } from "./messages.ts";
import { type CrossBorder, charge, clear, release, still } from "./money.ts";

/** A message about a payment that is known already. */
export interface FollowUp {
  transactionId: string;
  card: CardFacts;
  /** The account that paid: the card's own, or the wallet of a customer-managed organization. */
  fundingAccountId: string;
  walletId: string;
  message: Message;
  /** Null for what the service does by itself. */
  networkReference: string | null;
  entryId: string;
  payoutTransactionId: string;
  /** Set where a settlement would be abroad. */
  crossBorder?: CrossBorder | undefined;
}

const eventTypes = {
  Settlement: "transaction.settled",
  PartialReversal: "transaction.partially_reversed",
  Reversal: "transaction.reversed",
  Refund: "transaction.refunded",
  Expiry: "transaction.expired",
} as const;

/** Takes a payment one step further. A message that repeats is answered again, with no second effect. */
export const followUp: Operation<FollowUp, Cleared> = {
  name: "follow-up",
  accounts: ({ card, fundingAccountId, walletId }) => [card.accountId, fundingAccountId, walletId],
  needs: ({ transactionId, card, message, networkReference }) => [
    need(transactionById, transactionId),
    need(countersOfCard, card.cardId),
    need(cardsOfAccount, card.accountId),
    ...(networkReference === null
      ? []
      : [need(messageByKey, messageKey(message.kind, networkReference))]),
  ],
  decide: (view, input, now) => {
    const transaction = view.row(transactions, input.transactionId);
    const counters = view.row(cardCounters, input.card.cardId);
    if (transaction === undefined || counters === undefined) {
      return { refused: "UNABLE_TO_LOCATE_RECORD" };
    }
    const repeated = repetition(view, input, transaction);
    if (repeated !== undefined) return repeated;
    const step = take(transaction, input.message);
    return "refused" in step ? step : advance(view, input, { transaction, counters, step, now });
  },
};

interface Scene {
  transaction: Transaction;
  counters: CardCounters;
  step: Step;
  now: Date;
}

function advance(view: View, input: FollowUp, scene: Scene): Decision<Cleared> {
  const { transaction: before, step, now } = scene;
  const funding = view.account(input.fundingAccountId);
  if (funding === undefined) return { refused: "UNABLE_TO_LOCATE_RECORD" };
  const transaction = recorded(scene);
  const { transactionId } = transaction;
  const movement = still(funding);
  release(movement, before.heldMinor - step.after.heldMinor);
  const { entryId, card, crossBorder } = input;
  if (step.requestType === "Settlement") {
    clear(movement, step.amountMinor, { entryId, transactionId, kind: "Settlement" });
    const settlement = { transaction, card, amountMinor: step.amountMinor, now };
    if (crossBorder !== undefined) charge(movement, settlement, crossBorder);
  } else if (step.requestType === "Refund") {
    clear(movement, -step.amountMinor, { entryId, transactionId, kind: "Refund" });
  }
  return finish(view, {
    ...input,
    transaction,
    eventType: eventTypes[step.requestType],
    counters: respent(scene),
    movement,
    rows: [update(transactions, transaction), ...remembered(input, now)],
    now,
  });
}

/** The record with what happened added to its story. */
function recorded({ transaction, step, now }: Scene): Transaction {
  const { requestType, amountMinor, after } = step;
  const amount = formatAmount(inPaymentCurrency(transaction, amountMinor), transaction.currency);
  const event = { requestType, amount, responseCode: "000", at: now.toISOString() };
  return { ...transaction, ...after, events: [...transaction.events, event], updatedAt: now };
}

/** The share of the payment's own amount that an amount in the billing currency stands for. */
function inPaymentCurrency(transaction: Transaction, billingMinor: bigint): bigint {
  const { billingRate, amountMinor, billingAmountMinor } = transaction;
  if (billingRate === null || billingAmountMinor === 0n) return billingMinor;
  return (billingMinor * amountMinor + billingAmountMinor / 2n) / billingAmountMinor;
}

/** The day's spending follows what is held and settled of the purchases approved on it. */
function respent({ transaction, counters, step: { after } }: Scene): CardCounters {
  if (counters.spentDay !== dayOf(transaction.createdAt)) return counters;
  const beforeMinor = transaction.heldMinor + transaction.settledMinor;
  const afterMinor = after.heldMinor + after.settledMinor;
  return { ...counters, spentMinor: counters.spentMinor + afterMinor - beforeMinor };
}

function repetition(
  view: View,
  { message, networkReference, card, transactionId }: FollowUp,
  transaction: Transaction,
): Decision<Cleared> | undefined {
  if (networkReference === null) return undefined;
  const [before] = view.rows(messageByKey, messageKey(message.kind, networkReference));
  const account = view.account(card.accountId);
  if (before === undefined || account === undefined) return undefined;
  if (before.transactionId !== transactionId) return { refused: "DUPLICATE_TRANSACTION" };
  const answer = { transaction, account };
  return { effects: { postings: [], events: [] }, answer, resourceId: transactionId };
}

function remembered({ message, networkReference, transactionId }: FollowUp, now: Date) {
  if (networkReference === null) return [];
  const row = { networkReference, requestType: message.kind, transactionId, createdAt: now };
  return [insert(networkMessages, row)];
}
