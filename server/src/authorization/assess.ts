import type { CardCounters } from "../cards/card.ts";
import { cardCounters, cardTerms, needsOfKept } from "../cards/kept-tables.ts";
import { merchantKey, merchantOfCard } from "../cards/merchant-table.ts";
import type { Decision } from "../engine/operation.ts";
import { type Need, need } from "../engine/table.ts";
import type { View } from "../engine/view.ts";
import { codes } from "../foundation/codes.ts";
import type { Account } from "../ledger/accounts.ts";
import {
  type IsoName,
  isOfAcquirer,
  isoNameOf,
  keyAtAcquirer,
  retrievalKey,
  traceKey,
} from "../transactions/iso-name.ts";
import { paymentsByRetrieval } from "../transactions/iso-originals.ts";
import { messageKey } from "../transactions/message-key.ts";
import { ANOTHER_MESSAGE, byNetworkReference } from "../transactions/table.ts";
import { decidedAt, type Transaction } from "../transactions/transaction.ts";
import { earlyReversalKey, earlyReversals } from "../transactions/unapplied-table.ts";
import type { Assessment } from "./assessment.ts";
import { evaluate } from "./decide.ts";
import { hasEarlyReversals } from "./expectations.ts";
import { factsOf } from "./gather.ts";
import { needsOfLite } from "./lite.ts";
import type { DecidedPurchase } from "./outcome.ts";
import type { Purchase } from "./purchase.ts";

/** The card's own account and, where the organization decides for itself, the wallet that pays. */
export const accountsOf = ({ card, managed }: Purchase): string[] =>
  managed === undefined ? [card.accountId] : [card.accountId, managed.walletId];

export const needsOf = (purchase: Purchase): Need[] => [
  ...(isNamed(purchase) ? [need(byNetworkReference, messageKeyOf(purchase))] : []),
  ...needsOfExtras(purchase),
  ...needsOfKept(purchase.card),
  ...needsOfLite(purchase),
];

function needsOfExtras(purchase: Purchase): Need[] {
  const { card, merchant, expected } = purchase;
  // A lite card buys too seldom to be remembered.
  const isListed = expected?.listed === true || card.type === "Lite";
  return [
    ...(isListed ? [need(merchantOfCard, merchantKey(card.cardId, merchant.mid))] : []),
    ...(expected?.reversed === true ? needsOfReversals(purchase) : []),
  ];
}

/** One that the network did not name has a name that we have just made, and repeats nothing. */
const isNamed = ({ networkReference, transactionId }: Purchase): boolean =>
  networkReference !== transactionId;

const messageKeyOf = ({ requestType, networkReference }: Purchase): string =>
  messageKey(requestType, networkReference);

/** Gathers the facts and makes the checks. A repetition needs none, and is answered here. */
export function assess(
  view: View,
  purchase: Purchase,
  now: Date,
): Assessment | { decided: Decision<DecidedPurchase> } {
  const { cardId, accountId } = purchase.card;
  const account = view.account(accountId);
  const funding =
    purchase.managed === undefined ? account : view.account(purchase.managed.walletId);
  const terms = view.row(cardTerms, cardId);
  const counters = view.row(cardCounters, cardId);
  if (!(account && funding && terms && counters)) return { decided: { refused: "NO_CARD_RECORD" } };
  const [before] = isNamed(purchase) ? view.rows(byNetworkReference, messageKeyOf(purchase)) : [];
  if (before !== undefined) {
    const isSame = before.cardId === cardId;
    return { decided: isSame ? sameAnswer(before, account) : ANOTHER_MESSAGE };
  }

  const facts = factsOf(view, purchase, { terms, counters, account: funding }, now);
  const evaluation = evaluate(facts, () => performance.now());
  const barredBy = barring(view, purchase, counters, now);
  return { terms, counters, account, funding, facts, evaluation, barredBy, now };
}

/** What forbids a purchase, whatever the card allows. */
function barring(
  view: View,
  purchase: Purchase,
  counters: CardCounters,
  now: Date,
): string | undefined {
  if (wasReversed(view, purchase, counters, now)) return codes.ALREADY_REVERSED.code;
  // What the network has decided in our place is not refused.
  const isRefused = purchase.isOrganizationDisabled === true && purchase.isAdvice !== true;
  return isRefused ? codes.ORGANIZATION_DISABLED.code : undefined;
}

/** The same message again: what was decided stands. */
function sameAnswer(transaction: Transaction, account: Account): Decision<DecidedPurchase> {
  return {
    effects: { postings: [], events: [] },
    answer: { transaction, account },
    resourceId: transaction.transactionId,
  };
}

/** Whether a reversal of it had arrived before. Few cards ever saw one, so it is looked for only where one may be. */
function wasReversed(view: View, purchase: Purchase, counters: CardCounters, now: Date): boolean {
  const name = isoNameOf(purchase.networkReference);
  if (name === undefined || !hasEarlyReversals(counters, now)) return false;
  view.want(needsOfReversals(purchase));
  const { cardId } = purchase.card;
  const reversals = (key: string) => view.rows(earlyReversals, earlyReversalKey(cardId, key));
  if (keysOf(name, traceKey).flatMap(reversals).length > 0) return true;
  // One that gives no more than the payment's name takes back one payment of that name, not every later try.
  const early = keysOf(name, retrievalKey).flatMap(reversals);
  const firstMs = Math.min(...early.map(({ createdAt }) => createdAt.getTime()));
  const triedSince = view
    .rows(paymentsByRetrieval, `${cardId} ${retrievalKey(name)}`)
    .filter(({ networkReference }) => isOfAcquirer(networkReference, name.acquirer))
    .filter((payment) => decidedAt(payment).getTime() >= firstMs);
  return early.length > triedSince.length;
}

function needsOfReversals({ card: { cardId }, networkReference }: Purchase): Need[] {
  const name = isoNameOf(networkReference);
  if (name === undefined) return [];
  const keys = [...keysOf(name, traceKey), ...keysOf(name, retrievalKey)];
  return [
    ...keys.map((key) => need(earlyReversals, earlyReversalKey(cardId, key))),
    need(paymentsByRetrieval, `${cardId} ${retrievalKey(name)}`),
  ];
}

/** How a reversal names what it takes back: at its acquirer, as earlier versions did not always note. */
const keysOf = (name: IsoName, keyOf: (name: IsoName) => string): string[] => [
  keyOf(name),
  keyAtAcquirer(keyOf(name), name.acquirer),
];
