import { annexesOfAccount } from "../../engine/annexes.ts";
import type { Decision, Operation } from "../../engine/operation.ts";
import { need } from "../../engine/table.ts";
import type { View } from "../../engine/view.ts";
import type { Account } from "../../ledger/accounts.ts";
import type { Card, CardFacts } from "../card.ts";
import type { Charge } from "../charges/charge.ts";
import { collectCharges } from "../charges/collect.ts";
import { pendingChargesOfAccount, pendingChargesOfCard } from "../charges/table.ts";
import type { DescribedCard } from "../describe.ts";
import { merchantsOfCard } from "../merchant-table.ts";
import { cards, cardsOfAccount } from "../tables.ts";
import { endCard, terminated } from "./end-card.ts";

export interface Termination {
  card: CardFacts;
  walletId: string;
  reason: string;
  payoutTransactionId: string;
  chargeTransactionIds: readonly string[];
  /** The balance that the termination was judged by; with another one it has to be judged again. */
  onlyAtMinor?: bigint;
}

const BALANCE_CHANGED = "The balance has changed since the card was to be terminated";

/**
 * Ends the life of a card. Pending charges are collected first, as far as the money goes; with the
 * account's last card, those of all its cards, and what is left then goes back to the wallet unless it
 * is held. A negative balance stays. While there is money for more charges than one step may collect, it only
 * collects and has no answer yet.
 */
export const terminate: Operation<Termination, DescribedCard | undefined> = {
  name: "terminate",
  accounts: ({ card, walletId }) => [card.accountId, walletId],
  needs: ({ card: { cardId, accountId } }) => [
    need(cardsOfAccount, accountId),
    need(annexesOfAccount, accountId),
    need(merchantsOfCard, cardId),
    need(pendingChargesOfCard, cardId),
    need(pendingChargesOfAccount, accountId),
  ],
  decide: (view, input, now) => {
    const { cardId, accountId } = input.card;
    const before = view.row(cards, cardId);
    const account = view.account(accountId);
    const wallet = view.account(input.walletId);
    if (before === undefined || account === undefined || wallet === undefined) {
      return { refused: "NO_CARD_RECORD" };
    }
    if (before.status === "Terminated") return { refused: "CARD_CLOSED" };
    if ((input.onlyAtMinor ?? account.postedMinor) !== account.postedMinor) {
      return { refused: "TRANSACTION_NOT_PERMITTED", message: BALANCE_CHANGED };
    }
    return close(
      view,
      input,
      { card: terminated(before, input.reason, now), account, wallet },
      now,
    );
  },
};

function close(
  view: View,
  input: Termination,
  { card, account, wallet }: { card: Card; account: Account; wallet: Account },
  now: Date,
): Decision<DescribedCard | undefined> {
  const family = familyOf(view, card);
  const collection = collectCharges(view, {
    charges: chargesToTry(view, family, card),
    cards: family,
    accounts: [account, wallet],
    transactionIds: input.chargeTransactionIds,
    now,
  });
  if (collection.hasMore) {
    return { effects: collection.effects, answer: undefined, isUnsettled: true };
  }
  const counters = collection.counters.get(card.cardId);
  if (counters === undefined) return { refused: "NO_CARD_RECORD" };
  const payTo = { wallet, transactionId: input.payoutTransactionId };
  const ending = { card, family, account, collection, counters, payTo, now };
  const { effects, described } = endCard(view, ending);
  return { effects, answer: described, resourceId: card.cardId };
}

/** The cards of an account, with one of them as it will be. */
function familyOf(view: View, changed: Card): Card[] {
  return view
    .rows(cardsOfAccount, changed.accountId)
    .map((card) => (card.cardId === changed.cardId ? changed : card));
}

/** A card pays for itself; the last one also for those before it. */
function chargesToTry(view: View, family: readonly Card[], { cardId, accountId }: Card): Charge[] {
  const own = view.rows(pendingChargesOfCard, cardId);
  const isLast = family.every(({ status }) => status === "Terminated");
  return isLast ? [...own, ...view.rows(pendingChargesOfAccount, accountId)] : own;
}
