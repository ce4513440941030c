import { respent } from "../authorization/spending.ts";
import type { CardCounters, CardFacts } from "../cards/card.ts";
import { cardCounters, needsOfKept } from "../cards/kept-tables.ts";
import type { Decision, Operation } from "../engine/operation.ts";
import { insert, need, type RowChange, update } from "../engine/table.ts";
import type { View } from "../engine/view.ts";
import { formatAmount } from "../foundation/money.ts";
import type { Account } from "../ledger/accounts.ts";
import { messageKey } from "../transactions/message-key.ts";
import { ANOTHER_MESSAGE, transactionById, transactions } from "../transactions/table.ts";
import { decidedAt, type Transaction } from "../transactions/transaction.ts";
import { inBilling, inOwnCurrency, withAmount } from "./currencies.ts";
import { type Confirmation, confirmationBy, needsOfConfirmation } from "./file-confirmation.ts";
import { type Cleared, finish } from "./finish.ts";
import { type Message, type Step, take } from "./life.ts";
import {
  isRecordOf,
  messageByKey,
  type NetworkMessage,
  networkMessages,
  requestTypeOf,
  requestTypeOfStep,
  requestTypesOf,
} from "./message-table.ts";
import { beginMovement, type CrossBorder, chargeAbroad, clear, release } from "./movement.ts";

/** A message about a payment that is known already. */
export interface FollowUp {
  transactionId: string;
  card: CardFacts;
  /** The account that paid: the card's own, or the wallet of a customer-managed organization. */
  fundingAccountId: string;
  walletId: string;
  /** Its amount is in the payment's own currency. */
  message: Message;
  /** Names the message. */
  networkReference: string;
  entryId: string;
  payoutTransactionId: string;
  /** Set where a settlement would be abroad. */
  crossBorder?: CrossBorder | undefined;
  /** Set where the organization decided the payment, and is told of this. */
  adviceId?: string | undefined;
  /** How many events the payment had when this was decided on: with another one since, nothing is done. */
  seenEvents?: number | undefined;
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
  needs: (sent) => [
    ...needsOfKept(sent.card),
    need(transactionById, sent.transactionId),
    ...keysOf(sent).map((key) => need(messageByKey, key)),
    ...needsOfConfirmation(sent),
  ],
  decide: (view, sent, now) => {
    const transaction = view.row(transactions, sent.transactionId);
    const counters = view.row(cardCounters, sent.card.cardId);
    if (transaction === undefined || counters === undefined) {
      return { refused: "UNABLE_TO_LOCATE_RECORD" };
    }
    const repeated = repetition(view, sent, transaction);
    if (repeated !== undefined) return repeated;
    if (isStale(sent, transaction)) return unmoved(view, sent, transaction, { isStale: true });
    const message = withAmount(transaction, sent.message);
    if ("refused" in message) return message;
    const input = { ...sent, message };
    const confirmation = confirmationBy(view, transaction, input);
    if (confirmation !== undefined) {
      const rows = [confirmed(input, confirmation, now)];
      return unmoved(view, input, transaction, { rows });
    }
    const step = take(transaction, inBilling(transaction, input.message), now);
    return "refused" in step ? step : advance(view, input, { transaction, counters, step, now });
  },
};

interface PaymentStep {
  transaction: Transaction;
  counters: CardCounters;
  step: Step;
  now: Date;
}

function advance(view: View, input: FollowUp, paymentStep: PaymentStep): Decision<Cleared> {
  const { transaction: before, counters, step, now } = paymentStep;
  const funding = view.account(input.fundingAccountId);
  if (funding === undefined) return { refused: "UNABLE_TO_LOCATE_RECORD" };
  const ownMinor = inOwnCurrency(before, input.message, step);
  const transaction = recorded(paymentStep, ownMinor);
  const { transactionId } = transaction;
  const movement = beginMovement(funding);
  release(movement, before.heldMinor - step.after.heldMinor);
  const { entryId, card, crossBorder } = input;
  if (step.requestType === "Settlement") {
    clear(movement, step.amountMinor, { entryId, transactionId, kind: "Settlement" });
    const settlement = { transaction, card, amountMinor: step.amountMinor, now };
    if (crossBorder !== undefined) chargeAbroad(movement, settlement, crossBorder);
  } else if (step.requestType === "Refund") {
    clear(movement, -step.amountMinor, { entryId, transactionId, kind: "Refund" });
  }
  return finish(view, {
    ...input,
    transaction,
    eventType: eventTypes[step.requestType],
    counters: respent(counters, decidedAt(before), respentMinor(input, transaction, paymentStep)),
    movement,
    amountMinor: step.amountMinor,
    rows: [
      update(transactions, transaction),
      remembered(input, transaction, paymentStep, ownMinor),
    ],
    now,
  });
}

/** The record with what happened added to its story. */
function recorded({ transaction, step, now }: PaymentStep, ownMinor: bigint): Transaction {
  const { requestType, after } = step;
  const amount = formatAmount(ownMinor, transaction.currency);
  const event = { requestType, amount, responseCode: "000", at: now.toISOString() };
  return { ...transaction, ...after, events: [...transaction.events, event], updatedAt: now };
}

const spentBy = ({ heldMinor, settledMinor }: Transaction): bigint => heldMinor + settledMinor;

/** By how much the day's spending changes. A refund gives it nothing back, unless it is how a purchase is reversed. */
function respentMinor(
  { message }: FollowUp,
  after: Transaction,
  { transaction: before, step }: PaymentStep,
): bigint {
  const isTakenBack = step.requestType === "Refund" && requestTypeOf(message) === "Reversal";
  return spentBy(after) - spentBy(before) - (isTakenBack ? step.amountMinor : 0n);
}

const keysOf = ({ message, networkReference }: FollowUp): string[] =>
  requestTypesOf(message).map((requestType) => messageKey(requestType, networkReference));

function repetition(
  view: View,
  sent: FollowUp,
  transaction: Transaction,
): Decision<Cleared> | undefined {
  const before = keysOf(sent)
    .flatMap((key) => view.rows(messageByKey, key))
    .find((row) => isRecordOf(sent.message, row));
  if (before === undefined) return undefined;
  if (before.transactionId !== sent.transactionId) return ANOTHER_MESSAGE;
  return unmoved(view, sent, transaction, { wallet: walletMovedBy(view, sent, before) });
}

/** As it is now, where the payment's own money comes from it. */
function walletMovedBy(
  view: View,
  { fundingAccountId, walletId }: FollowUp,
  { requestType, confirms }: NetworkMessage,
): Account | undefined {
  const isMoved = requestType === "Settlement" || requestType === "Refund";
  return isMoved && !confirms && fundingAccountId === walletId ? view.account(walletId) : undefined;
}

const isStale = ({ seenEvents }: FollowUp, { events }: Transaction): boolean =>
  seenEvents !== undefined && seenEvents !== events.length;

interface Unmoved {
  rows?: RowChange[];
  isStale?: true;
  /** Set where the message that is repeated has moved it. */
  wallet?: Account | undefined;
}

/** The payment as it is. */
function unmoved(
  view: View,
  { card }: FollowUp,
  transaction: Transaction,
  { rows = [], isStale, wallet }: Unmoved = {},
): Decision<Cleared> {
  const account = view.account(card.accountId);
  if (account === undefined) return { refused: "NO_CARD_RECORD" };
  return {
    effects: { postings: [], rows, events: [] },
    answer: { transaction, account, ...(isStale && { isStale }), ...(wallet && { wallet }) },
    resourceId: transaction.transactionId,
  };
}

function remembered(
  { message, networkReference }: FollowUp,
  { transactionId, stage }: Transaction,
  { step, now }: PaymentStep,
  amountMinor: bigint,
): RowChange {
  return insert(networkMessages, {
    networkReference,
    requestType: requestTypeOfStep(message, step),
    transactionId,
    stage,
    amountMinor,
    confirms: false,
    createdAt: now,
  });
}

/** Records a message that moves nothing, because a clearing file has posted the same already. */
function confirmed(
  { transactionId, networkReference }: FollowUp,
  { kind, amountMinor }: Confirmation,
  now: Date,
): RowChange {
  return insert(networkMessages, {
    networkReference,
    requestType: kind,
    transactionId,
    stage: kind,
    amountMinor,
    confirms: true,
    createdAt: now,
  });
}
