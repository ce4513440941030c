import type { Operation } from "../../engine/operation.ts";
import type { CardFacts, CardStatus } from "../card.ts";
import { changeCard } from "../change-card.ts";
import type { DescribedCard } from "../describe.ts";
import { needsOfWholeCard, wholeCard } from "../loaded-card.ts";

/** Stops what the card pays and gives away; it can still be topped up. */
export const freeze = changeOfStatus({
  name: "freeze",
  from: "Active",
  to: "Frozen",
  eventType: "card.frozen",
  otherwise: "The card is frozen already",
});

export const unfreeze = changeOfStatus({
  name: "unfreeze",
  from: "Frozen",
  to: "Active",
  eventType: "card.unfrozen",
  otherwise: "The card is not frozen",
});

function changeOfStatus(step: {
  name: string;
  from: CardStatus;
  to: CardStatus;
  eventType: string;
  otherwise: string;
}): Operation<CardFacts, DescribedCard> {
  return {
    name: step.name,
    accounts: ({ accountId }) => [accountId],
    needs: needsOfWholeCard,
    decide: (view, facts) => {
      const loaded = wholeCard(view, facts);
      if (loaded === undefined) return { refused: "NO_CARD_RECORD" };
      const { status } = loaded.card;
      if (status === "Terminated") return { refused: "CARD_CLOSED" };
      if (status !== step.from) return { refused: "CARD_NOT_ACTIVE", message: step.otherwise };
      const { rows, events, described } = changeCard(loaded, { status: step.to }, step.eventType);
      return {
        effects: { postings: [], rows, events },
        answer: described,
        resourceId: facts.cardId,
      };
    },
  };
}
