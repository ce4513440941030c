import type { CardCounters } from "../cards/card.ts";
import { cardCounters } from "../cards/kept-tables.ts";
import { cardMerchants, merchantKey, merchantOfCard } from "../cards/merchant-table.ts";
import { type CardEvent, numbered } from "../cards/numbering.ts";
import type { Decision } from "../engine/operation.ts";
import { insert, type RowChange, update } from "../engine/table.ts";
import type { View } from "../engine/view.ts";
import { codes } from "../foundation/codes.ts";
import { formatAmount, larger, smaller } from "../foundation/money.ts";
import type { Account } from "../ledger/accounts.ts";
import { transactions } from "../transactions/table.ts";
import type { Transaction } from "../transactions/transaction.ts";
import type { Assessment } from "./assessment.ts";
import { checks } from "./checks.ts";
import { type Extras, extrasOf } from "./expectations.ts";
import { endLiteCard, endOf } from "./lite.ts";
import type { Purchase } from "./purchase.ts";
import { record } from "./record.ts";
import { spentWith } from "./spending.ts";

/** A decided purchase and the card account it left behind. */
export interface DecidedPurchase {
  transaction: Transaction;
  account: Account;
  /** Where it was moved, as by the payout of a lite card that this purchase ended. */
  wallet?: Account;
  /** What had to be looked for besides, unless it is a repetition. */
  extras?: Extras;
}

const MERCHANT_CHECK = checks.findIndex(({ name }) => name === "merchant");

export function approve(
  view: View,
  purchase: Purchase,
  assessment: Assessment,
): Decision<DecidedPurchase> {
  const { card } = purchase;
  const { terms, now } = assessment;
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
    spend(purchase, assessment, heldMinor),
    cardEventOf("transaction.authorized", transaction, account),
    ...(assessment.furtherEvents ?? []),
  );
  const swiped = { terms, account, funding, counters: sequenced.counters };
  const isOver = isVerification(assessment) || terms.status === "Terminated";
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
      extras: extrasOf(assessment.counters, now),
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
  const { account, counters, evaluation, now } = assessment;
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
    answer: { transaction, account, extras: extrasOf(counters, now) },
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

const isVerification = ({ facts }: Assessment): boolean => facts.billingAmountMinor === 0n;

/** Counts towards the day's limit and a lite card's swipes; a verification of 0 counts for nothing. */
function spend({ card }: Purchase, assessment: Assessment, heldMinor: bigint): CardCounters {
  const { counters, now } = assessment;
  if (isVerification(assessment)) return counters;
  const swipesUsed = counters.swipesUsed + (card.type === "Lite" ? 1 : 0);
  return { ...spentWith(counters, heldMinor, now), swipesUsed };
}

/** A one-time unblock is spent by the first attempt that gets as far as the merchant, approved or not. */
function spendUnblock(
  view: View,
  { card, merchant }: Purchase,
  { evaluation, facts }: Assessment,
): RowChange[] {
  const isReached = evaluation.failed === undefined || evaluation.failedAt >= MERCHANT_CHECK;
  if (!isReached || !facts.midUnblocked) return [];
  return view
    .rows(merchantOfCard, merchantKey(card.cardId, merchant.mid))
    .filter(({ unblocked }) => unblocked)
    .map((row) => update(cardMerchants, { ...row, unblocked: false }));
}
