import { type Need, need } from "../engine/table.ts";
import type { View } from "../engine/view.ts";
import type { Account } from "../ledger/accounts.ts";
import type { Card, CardCounters, CardFacts, CardStatus } from "./card.ts";
import { cardCounters, cardTerms, needsOfKept } from "./kept-tables.ts";
import { listsOf, type MerchantLists, merchantsOfCard } from "./merchant-table.ts";
import { cardById, cards } from "./tables.ts";

/** A card with its money and what it has counted. */
export interface LoadedCard {
  card: Card;
  counters: CardCounters;
  account: Account;
}

/** What moving its money takes; that its account is locked is enough. */
export interface MovableCard {
  status: CardStatus;
  counters: CardCounters;
  account: Account;
}

/** With all that a description of it needs. */
export interface WholeCard extends LoadedCard {
  lists: MerchantLists;
}

/** What an operation must ask for to load a whole card; its account must be locked too. */
export const needsOfWholeCard = (card: Pick<CardFacts, "cardId" | "isGuest">): Need[] => [
  need(cardById, card.cardId),
  need(merchantsOfCard, card.cardId),
  ...needsOfKept(card),
];

export function movableCard(
  view: View,
  { cardId, accountId }: Pick<CardFacts, "cardId" | "accountId">,
): MovableCard | undefined {
  const terms = view.row(cardTerms, cardId);
  const counters = view.row(cardCounters, cardId);
  const account = view.account(accountId);
  if (terms === undefined || counters === undefined || account === undefined) return undefined;
  return { status: terms.status, counters, account };
}

function loadedCard(
  view: View,
  { cardId, accountId }: Pick<CardFacts, "cardId" | "accountId">,
): LoadedCard | undefined {
  const card = view.row(cards, cardId);
  const counters = view.row(cardCounters, cardId);
  const account = view.account(accountId);
  if (card === undefined || counters === undefined || account === undefined) return undefined;
  return { card, counters, account };
}

export function wholeCard(
  view: View,
  facts: Pick<CardFacts, "cardId" | "accountId">,
): WholeCard | undefined {
  const loaded = loadedCard(view, facts);
  return loaded && { ...loaded, lists: listsOf(view.rows(merchantsOfCard, facts.cardId)) };
}
