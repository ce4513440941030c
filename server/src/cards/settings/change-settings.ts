import type { Operation } from "../../engine/operation.ts";
import type { Card, CardFacts } from "../card.ts";
import { changeCard } from "../change-card.ts";
import type { DescribedCard } from "../describe.ts";
import { needsOfWholeCard, wholeCard } from "../loaded-card.ts";

/** What a client may change of a card, each field as a whole. */
export type Settings = Pick<
  Card,
  | "dailyLimitMinor"
  | "transactionLimitMinor"
  | "whiteListedMccs"
  | "blackListedMccs"
  | "contactlessPayment"
  | "metadata"
>;

export interface ChangeSettings {
  card: CardFacts;
  change: Partial<Settings>;
}

const LITE = "A lite card cannot pay contactless";

export const changeSettings: Operation<ChangeSettings, DescribedCard> = {
  name: "change-settings",
  accounts: ({ card }) => [card.accountId],
  needs: ({ card }) => needsOfWholeCard(card),
  decide: (view, { card: facts, change }) => {
    const loaded = wholeCard(view, facts);
    if (loaded === undefined) return { refused: "NO_CARD_RECORD" };
    if (loaded.card.status === "Terminated") return { refused: "CARD_CLOSED" };
    if (facts.type === "Lite" && change.contactlessPayment === true) {
      return { refused: "TRANSACTION_NOT_PERMITTED", message: LITE };
    }
    const { rows, events, described } = changeCard(loaded, change, "card.updated");
    return { effects: { postings: [], rows, events }, answer: described, resourceId: facts.cardId };
  },
};
