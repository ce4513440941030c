import type { Card, CardCounters } from "../cards/card.ts";
import { describeCard } from "../cards/describe.ts";
import { numbered } from "../cards/numbering.ts";
import { cardById, cardCounters, cards, countersOfCard } from "../cards/tables.ts";
import { cardMerchants, merchantKey, merchantOfCard } from "../controls/merchants.ts";
import type { Decision, Operation } from "../engine/operation.ts";
import { insert, need, type RowChange, update } from "../engine/table.ts";
import type { View } from "../engine/view.ts";
import { codes } from "../foundation/codes.ts";
import { formatAmount } from "../foundation/money.ts";
import type { Account } from "../ledger/accounts.ts";
import { describeTransaction } from "../transactions/describe.ts";
import { byNetworkReference, networkKey, transactions } from "../transactions/table.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { checks } from "./checks.ts";
import { type Evaluation, evaluate } from "./decide.ts";
import type { Facts } from "./facts.ts";
import { dayOf, factsOf } from "./gather.ts";
import type { Purchase } from "./purchase.ts";
import { packDecision } from "./trace.ts";

/** A decided purchase and the card account it left behind. */
export interface Authorized {
  transaction: Transaction;
  account: Account;
}

const MERCHANT_CHECK = checks.findIndex(({ name }) => name === "merchant");
const DAY_MS = 86_400_000;

/** Decides a purchase and, when it is approved, holds its amount. A message that repeats is answered again. */
export const authorize: Operation<Purchase, Authorized> = {
  name: "authorize",
  accounts: ({ card }) => [card.accountId],
  needs: ({ card, merchant, networkReference, requestType }) => [
    need(cardById, card.cardId),
    need(countersOfCard, card.cardId),
    need(merchantOfCard, merchantKey(card.cardId, merchant.mid)),
    need(byNetworkReference, networkKey(networkReference, requestType)),
  ],
  decide: (view, purchase, now) => {
    const { cardId, accountId } = purchase.card;
    const account = view.account(accountId);
    const card = view.row(cards, cardId);
    const counters = view.row(cardCounters, cardId);
    if (account === undefined || card === undefined || counters === undefined) {
      return { refused: "NO_CARD_RECORD" };
    }
    const { networkReference, requestType } = purchase;
    const [before] = view.rows(byNetworkReference, networkKey(networkReference, requestType));
    if (before !== undefined) return answered(before, account);

    const facts = factsOf(view, purchase, { card, counters, account }, now);
    const evaluation = evaluate(facts, () => performance.now());
    return evaluation.failed === undefined
      ? approve(view, purchase, { card, counters, account, facts, evaluation, now })
      : decline(view, purchase, { card, counters, account, facts, evaluation, now });
  },
};

interface Scene {
  card: Card;
  counters: CardCounters;
  account: Account;
  facts: Facts;
  evaluation: Evaluation;
  now: Date;
}

function approve(view: View, purchase: Purchase, scene: Scene): Decision<Authorized> {
  const { card, account, facts, now } = scene;
  const heldMinor = facts.billingAmountMinor ?? 0n;
  const after = { ...account, heldMinor: account.heldMinor + heldMinor };
  const spent = spend(scene, heldMinor);
  const closed = closeIfUsedUp(scene, spent, facts.availableMinor - heldMinor);
  const transaction = record(purchase, scene, {
    stage: "Authorization",
    responseCode: codes.SUCCESS.code,
    heldMinor,
    approvalCode: purchase.approvalCode,
    expiresAt: new Date(now.getTime() + purchase.holdDays * DAY_MS),
  });
  const told = numbered(
    spent,
    { eventType: "transaction.authorized", data: describeTransaction(transaction) },
    ...(closed === undefined
      ? []
      : [{ eventType: "card.terminated", data: describeCard(closed, after, spent) }]),
  );
  return {
    effects: {
      postings: [],
      holds: heldMinor === 0n ? [] : [{ accountId: card.accountId, deltaMinor: heldMinor }],
      rows: [
        insert(transactions, transaction),
        update(cardCounters, told.counters),
        ...(closed === undefined ? [] : [update(cards, closed)]),
        ...spendUnblock(view, purchase, scene),
      ],
      events: told.events,
    },
    answer: { transaction, account: after },
    resourceId: transaction.transactionId,
  };
}

function decline(view: View, purchase: Purchase, scene: Scene): Decision<Authorized> {
  const { account, counters, evaluation } = scene;
  const transaction = record(purchase, scene, {
    stage: "Declined",
    responseCode: codes[evaluation.failed ?? "AUTHORIZATION_DECLINED"].code,
    heldMinor: 0n,
    approvalCode: null,
    expiresAt: null,
  });
  const told = numbered(counters, {
    eventType: "transaction.declined",
    data: describeTransaction(transaction),
  });
  return {
    effects: {
      postings: [],
      rows: [
        insert(transactions, transaction),
        update(cardCounters, told.counters),
        ...spendUnblock(view, purchase, scene),
      ],
      events: told.events,
    },
    answer: { transaction, account },
    resourceId: transaction.transactionId,
  };
}

/** The same message again: what was decided stands. */
function answered(transaction: Transaction, account: Account): Decision<Authorized> {
  return {
    effects: { postings: [], events: [] },
    answer: { transaction, account },
    resourceId: transaction.transactionId,
  };
}

/** Counts towards the day's limit and a lite card's swipes; a verification of 0 counts for nothing. */
function spend({ card, counters, facts, now }: Scene, amountMinor: bigint): CardCounters {
  if (amountMinor === 0n) return counters;
  return {
    ...counters,
    spentDay: dayOf(now),
    spentMinor: facts.spentTodayMinor + amountMinor,
    swipesUsed: counters.swipesUsed + (card.type === "Lite" ? 1 : 0),
  };
}

/** A lite card ends with its last swipe or its last money. */
function closeIfUsedUp(
  { card, counters, now }: Scene,
  { swipesUsed }: CardCounters,
  availableMinor: bigint,
): Card | undefined {
  if (card.swipeCount === null || swipesUsed === counters.swipesUsed) return undefined;
  const isOut = availableMinor === 0n;
  if (swipesUsed < card.swipeCount && !isOut) return undefined;
  const terminationReason = swipesUsed >= card.swipeCount ? "SwipesUsed" : "BalanceExhausted";
  return { ...card, status: "Terminated", terminationReason, terminatedAt: now };
}

/** A one-time unblock is spent by the first attempt that gets as far as the merchant, approved or not. */
function spendUnblock(
  view: View,
  { card, merchant }: Purchase,
  { facts, evaluation }: Scene,
): RowChange[] {
  const isReached = evaluation.failed === undefined || evaluation.failedAt >= MERCHANT_CHECK;
  if (!facts.midUnblocked || !isReached) return [];
  return view
    .rows(merchantOfCard, merchantKey(card.cardId, merchant.mid))
    .filter(({ unblocked }) => unblocked)
    .map((row) => update(cardMerchants, { ...row, unblocked: false }));
}

function record(
  purchase: Purchase,
  { facts, evaluation, now }: Scene,
  outcome: Pick<Transaction, "stage" | "responseCode" | "heldMinor" | "approvalCode" | "expiresAt">,
): Transaction {
  const { card, amountMinor, currency, requestType, billing } = purchase;
  const { stage, responseCode, heldMinor, approvalCode, expiresAt } = outcome;
  const amount = formatAmount(amountMinor, currency);
  return {
    transactionId: purchase.transactionId,
    cardId: card.cardId,
    customerId: card.customerId,
    accountId: card.accountId,
    type: requestType,
    stage,
    approved: stage !== "Declined",
    responseCode,
    amountMinor,
    currency,
    billingAmountMinor: billing?.amountMinor ?? 0n,
    billingCurrency: card.currency,
    heldMinor,
    settledMinor: 0n,
    reversedMinor: 0n,
    refundedMinor: 0n,
    overCaptured: false,
    merchant: purchase.merchant,
    entryMode: purchase.entryMode,
    approvalCode,
    networkReference: purchase.networkReference,
    transferId: null,
    events: [{ requestType, amount, responseCode, at: now.toISOString() }],
    billingRate: billing?.rate ?? null,
    expiresAt,
    decision: packDecision("ServiceManaged", facts, evaluation),
    createdAt: now,
    updatedAt: now,
  };
}
