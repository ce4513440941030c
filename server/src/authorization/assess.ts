import { merchantKey, merchantOfCard } from "../cards/merchant-table.ts";
import { cardById, cardCounters, cards, countersOfCard } from "../cards/tables.ts";
import type { Decision } from "../engine/operation.ts";
import { type Need, need } from "../engine/table.ts";
import type { View } from "../engine/view.ts";
import { codes } from "../foundation/codes.ts";
import type { Account } from "../ledger/accounts.ts";
import { isoNameOf, originalKeysOf } from "../transactions/iso-name.ts";
import { messageKey } from "../transactions/message-key.ts";
import { ANOTHER_MESSAGE, byNetworkReference } from "../transactions/table.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { earlyReversalKey, earlyReversals } from "../transactions/unapplied-table.ts";
import type { Assessment } from "./assessment.ts";
import { evaluate } from "./decide.ts";
import { factsOf } from "./gather.ts";
import { needsOfLite } from "./lite.ts";
import { type DecidedPurchase, decline } from "./outcome.ts";
import type { Purchase } from "./purchase.ts";

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

/** The same message again: what was decided stands. */
function sameAnswer(transaction: Transaction, account: Account): Decision<DecidedPurchase> {
  return {
    effects: { postings: [], events: [] },
    answer: { transaction, account },
    resourceId: transaction.transactionId,
  };
}

/** The keys under which a reversal that arrived before this purchase is remembered. */
const reversalKeysOf = ({ card, networkReference }: Purchase): string[] => {
  const name = isoNameOf(networkReference);
  if (name === undefined) return [];
  return originalKeysOf(name).map((key) => earlyReversalKey(card.cardId, key));
};

const wasReversed = (view: View, purchase: Purchase): boolean =>
  reversalKeysOf(purchase).some((key) => view.rows(earlyReversals, key).length > 0);
