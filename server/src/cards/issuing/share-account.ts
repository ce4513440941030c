import type { Operation } from "../../engine/operation.ts";
import { need } from "../../engine/table.ts";
import type { Programme } from "../../programmes/programmes.ts";
import type { Card, CardFacts, CardSecrets } from "../card.ts";
import { changeCard } from "../change-card.ts";
import type { DescribedCard } from "../describe.ts";
import { needsOfWholeCard, wholeCard } from "../loaded-card.ts";
import { debtsOfCustomer, owesTooMuch } from "./debts.ts";
import { newCardEffects } from "./new-card-effects.ts";

export interface ShareAccount {
  original: CardFacts;
  /** Spends from the original's account. */
  card: Card;
  secrets: CardSecrets;
  programmes: readonly Programme[];
}

const LITE = "The balance of a lite card cannot be shared";

/** Makes another card for the account of one that there is. That one stays as it is. */
export const shareAccount: Operation<ShareAccount, DescribedCard> = {
  name: "share-account",
  accounts: ({ original }) => [original.accountId],
  needs: ({ original, card }) => [
    ...needsOfWholeCard(original),
    need(debtsOfCustomer, card.customerId),
  ],
  decide: (view, { original, card, secrets, programmes }) => {
    const loaded = wholeCard(view, original);
    if (loaded === undefined) return { refused: "NO_CARD_RECORD" };
    if (original.type === "Lite") return { refused: "TRANSACTION_NOT_PERMITTED", message: LITE };
    if (loaded.card.status === "Terminated") return { refused: "CARD_CLOSED" };
    if (owesTooMuch(view, card.customerId, programmes)) {
      return { refused: "NEGATIVE_BALANCE_EXCEEDS_LIMIT" };
    }
    const begun = newCardEffects(card, secrets, loaded.account);
    const sharing = loaded.card.sharedBalance
      ? { rows: [], events: [] }
      : changeCard(loaded, { sharedBalance: true }, "card.updated");
    return {
      effects: {
        postings: [],
        rows: [...begun.rows, ...sharing.rows],
        events: [...begun.events, ...sharing.events],
      },
      answer: begun.described,
      resourceId: card.cardId,
    };
  },
};
