import type { Card, CardCounters } from "../cards/card.ts";
import { cardMerchants, merchantKey, merchantOfCard } from "../cards/merchant-table.ts";
import { type CardEvent, numbered } from "../cards/numbering.ts";
import { cardById, cardCounters, cards, countersOfCard } from "../cards/tables.ts";
import type { Decision, Operation } from "../engine/operation.ts";
import { insert, type Need, need, type RowChange, update } from "../engine/table.ts";
import type { View } from "../engine/view.ts";
import { codes } from "../foundation/codes.ts";
import { DAY_MS, isoTime } from "../foundation/dates.ts";
import { timeOf } from "../foundation/ids.ts";
import { formatAmount, larger, smaller } from "../foundation/money.ts";
import type { Account } from "../ledger/accounts.ts";
import { isoNameOf, originalKeysOf } from "../transactions/iso-name.ts";
import { messageKey } from "../transactions/message-key.ts";
import { ANOTHER_MESSAGE, byNetworkReference, transactions } from "../transactions/table.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { earlyReversalKey, earlyReversals } from "../transactions/unapplied-table.ts";
import { checks } from "./checks.ts";
import { type Evaluation, evaluate } from "./decide.ts";
import type { Facts } from "./facts.ts";
import { factsOf } from "./gather.ts";
import { endLiteCard, endOf, needsOfLite } from "./lite.ts";
import type { Purchase } from "./purchase.ts";
import type { RemoteReport } from "./remote/report.ts";
import { spentWith } from "./spending.ts";
import { packDecision } from "./trace.ts";

/** A decided purchase and the card account it left behind. */
export interface DecidedPurchase {
  transaction: Transaction;
  account: Account;
  /** Where it was moved, as by the payout of a lite card that this purchase ended. */
  wallet?: Account;
}

const MERCHANT_CHECK = checks.findIndex(({ name }) => name === "merchant");

/** The card's own account and, where the organization decides for itself, the wallet that pays. */
export const accountsOf = ({ card, managed }: Purchase): string[] =>
  managed === undefined ? [card.accountId] : [card.accountId, managed.walletId];

export const needsOf = (purchase: Purchase): Need[] => {
  const { card, merchant, networkReference, requestType } = purchase;
  return [
    need(cardById, card.cardId),
    need(countersOfCard, card.cardId),
    need(merchantOfCard, merchantKey(card.cardId, merchant.mid)),
    need(byNetworkReference, messageKey(requestType, networkReference)),
    ...needsOfLite(purchase),
    ...reversalKeysOf(purchase).map((key) => need(earlyReversals, key)),
  ];
};

/** Decides a purchase and, when it is approved, holds its amount. A message that repeats is answered again. */
export const authorize: Operation<Purchase, DecidedPurchase> = {
  name: "authorize",
  accounts: accountsOf,
  needs: needsOf,
  decide: (view, purchase, now) => {
    const assessment = assess(view, purchase, now);
    if ("decided" in assessment) return assessment.decided;
    return assessment.evaluation.failed === undefined || isHonoured(purchase)
      ? approve(view, purchase, assessment)
      : decline(view, purchase, assessment);
  },
};

/** An advice is declined only where the programme has no rate for its currency: its amount is unknown then. */
const isHonoured = ({ isAdvice, billing }: Purchase): boolean =>
  isAdvice === true && billing !== null;

/** The keys under which a reversal that arrived before this purchase is remembered. */
const reversalKeysOf = ({ card, networkReference }: Purchase): string[] => {
  const name = isoNameOf(networkReference);
  if (name === undefined) return [];
  return originalKeysOf(name).map((key) => earlyReversalKey(card.cardId, key));
};

const wasReversed = (view: View, purchase: Purchase): boolean =>
  reversalKeysOf(purchase).some((key) => view.rows(earlyReversals, key).length > 0);

/** All that a decision is made from: the loaded rows, and the result of every check. */
export interface Assessment {
  card: Card;
  counters: CardCounters;
  /** The card's own. */
  account: Account;
  /** What pays: the card's own account, or the wallet. */
  funding: Account;
  facts: Facts;
  evaluation: Evaluation;
  now: Date;
  /** What came of asking the organization. */
  remote?: RemoteReport;
  /** Events to emit besides that of the decision. */
  furtherEvents?: { eventType: string; data: object }[];
}

/** Gathers the facts and makes the checks; what these need not decide, such as a repetition, is decided here. */
export function assess(
  view: View,
  purchase: Purchase,
  now: Date,
): Assessment | { decided: Decision<DecidedPurchase> } {
  const { cardId, accountId } = purchase.card;
  const account = view.account(accountId);
  const funding =
    purchase.managed === undefined ? account : view.account(purchase.managed.walletId);
  const card = view.row(cards, cardId);
  const counters = view.row(cardCounters, cardId);
  if (!(account && funding && card && counters)) return { decided: { refused: "NO_CARD_RECORD" } };
  const { networkReference, requestType } = purchase;
  const [before] = view.rows(byNetworkReference, messageKey(requestType, networkReference));
  if (before !== undefined) {
    const isSame = before.cardId === cardId;
    return { decided: isSame ? sameAnswer(before, account) : ANOTHER_MESSAGE };
  }

  const facts = factsOf(view, purchase, { card, counters, account: funding }, now);
  const evaluation = evaluate(facts, () => performance.now());
  const assessment = { card, counters, account, funding, facts, evaluation, now };
  if (wasReversed(view, purchase)) {
    return { decided: decline(view, purchase, assessment, codes.ALREADY_REVERSED.code) };
  }
  // What the network has decided in our place is not refused.
  if (purchase.isOrganizationDisabled === true && purchase.isAdvice !== true) {
    return { decided: decline(view, purchase, assessment, codes.ORGANIZATION_DISABLED.code) };
  }
  return assessment;
}

export function approve(
  view: View,
  purchase: Purchase,
  assessment: Assessment,
): Decision<DecidedPurchase> {
  const { card, now } = assessment;
  const heldMinor = toHold(purchase, assessment);
  const funding = { ...assessment.funding, heldMinor: assessment.funding.heldMinor + heldMinor };
  const account = funding.accountId === card.accountId ? funding : assessment.account;
  const transaction = record(purchase, assessment, {
    stage: "Authorization",
    responseCode: codes.SUCCESS.code,
    heldMinor,
    approvalCode: purchase.approvalCode,
  });
  const sequenced = numbered(
    spend(assessment, heldMinor),
    cardEventOf("transaction.authorized", transaction, account),
    ...(assessment.furtherEvents ?? []),
  );
  const swiped = { card, account, funding, counters: sequenced.counters };
  const isOver = isVerification(assessment) || card.status === "Terminated";
  const reason = isOver ? undefined : endOf(swiped);
  const end = reason === undefined ? undefined : endLiteCard(view, purchase, swiped, reason, now);
  return {
    effects: {
      postings: end?.effects.postings ?? [],
      holds: heldMinor === 0n ? [] : [{ accountId: funding.accountId, deltaMinor: heldMinor }],
      rows: [
        insert(transactions, transaction),
        update(cardCounters, sequenced.counters),
        ...spendUnblock(view, purchase, assessment),
        ...(end?.effects.rows ?? []),
      ],
      events: [...sequenced.events, ...(end?.effects.events ?? [])],
    },
    answer: {
      transaction,
      account: end?.account ?? account,
      ...(end?.wallet === undefined ? {} : { wallet: end.wallet }),
    },
    resourceId: transaction.transactionId,
  };
}

/** The whole amount; for an advice, as much of it as is available. */
function toHold({ isAdvice }: Purchase, { facts }: Assessment): bigint {
  const { billingAmountMinor: wantedMinor, availableMinor } = facts;
  if (wantedMinor === null) return 0n;
  return isAdvice === true ? larger(smaller(availableMinor, wantedMinor), 0n) : wantedMinor;
}

/** Declines with the failed check's code, or with `otherwiseCode` if all passed. */
export function decline(
  view: View,
  purchase: Purchase,
  assessment: Assessment,
  otherwiseCode: string = codes.AUTHORIZATION_DECLINED.code,
): Decision<DecidedPurchase> {
  const { account, counters, evaluation } = assessment;
  const { failed } = evaluation;
  const transaction = record(purchase, assessment, {
    stage: "Declined",
    responseCode: failed === undefined ? otherwiseCode : codes[failed].code,
    heldMinor: 0n,
    approvalCode: null,
  });
  const sequenced = numbered(
    counters,
    cardEventOf("transaction.declined", transaction, account),
    ...(assessment.furtherEvents ?? []),
  );
  return {
    effects: {
      postings: [],
      rows: [
        insert(transactions, transaction),
        update(cardCounters, sequenced.counters),
        ...spendUnblock(view, purchase, assessment),
      ],
      events: sequenced.events,
    },
    answer: { transaction, account },
    resourceId: transaction.transactionId,
  };
}

function cardEventOf(
  eventType: string,
  transaction: Transaction,
  { postedMinor }: Account,
): CardEvent {
  const { transactionId, heldMinor, billingCurrency } = transaction;
  const data = {
    heldAmount: formatAmount(heldMinor, billingCurrency),
    cardBalance: formatAmount(postedMinor, billingCurrency),
  };
  return { eventType, opensTransactionId: transactionId, data };
}

/** The same message again: what was decided stands. */
function sameAnswer(transaction: Transaction, account: Account): Decision<DecidedPurchase> {
  return {
    effects: { postings: [], events: [] },
    answer: { transaction, account },
    resourceId: transaction.transactionId,
  };
}

const isVerification = ({ facts }: Assessment): boolean => facts.billingAmountMinor === 0n;

/** Counts towards the day's limit and a lite card's swipes; a verification of 0 counts for nothing. */
function spend(assessment: Assessment, heldMinor: bigint): CardCounters {
  const { card, counters, now } = assessment;
  if (isVerification(assessment)) return counters;
  const swipesUsed = counters.swipesUsed + (card.type === "Lite" ? 1 : 0);
  return { ...spentWith(counters, heldMinor, now), swipesUsed };
}

/** A one-time unblock is spent by the first attempt that gets as far as the merchant, approved or not. */
function spendUnblock(
  view: View,
  { card, merchant }: Purchase,
  { evaluation }: Assessment,
): RowChange[] {
  const isReached = evaluation.failed === undefined || evaluation.failedAt >= MERCHANT_CHECK;
  if (!isReached) return [];
  return view
    .rows(merchantOfCard, merchantKey(card.cardId, merchant.mid))
    .filter(({ unblocked }) => unblocked)
    .map((row) => update(cardMerchants, { ...row, unblocked: false }));
}

function record(
  purchase: Purchase,
  { funding, facts, evaluation, remote, now }: Assessment,
  outcome: Pick<Transaction, "stage" | "responseCode" | "heldMinor" | "approvalCode">,
): Transaction {
  const { card, amountMinor, currency, requestType, billing } = purchase;
  const { stage, responseCode, heldMinor, approvalCode } = outcome;
  const approved = stage !== "Declined";
  const createdAt = timeOf(purchase.transactionId);
  const amount = formatAmount(amountMinor, currency);
  return {
    transactionId: purchase.transactionId,
    cardId: card.cardId,
    customerId: card.customerId,
    accountId: funding.accountId,
    type: requestType,
    stage,
    approved,
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
    events: [{ requestType, amount, responseCode, at: isoTime(now) }],
    billingRate: billing?.rate ?? null,
    expiresAt: approved ? new Date(createdAt.getTime() + purchase.holdDays * DAY_MS) : null,
    decision: packDecision(
      purchase.managed ? "CustomerManaged" : "ServiceManaged",
      facts,
      evaluation,
      remote,
    ),
    createdAt,
    updatedAt: now,
  };
}
