import type { Decision } from "../../engine/operation.ts";
import type { CardFacts, CardStatus } from "../card.ts";

type Refusal = Extract<Decision<never>, { refused: unknown }>;

const LITE = "A lite card has the money it was issued with, no more and no less";

/** Why a card can be given no money, if so. A frozen one can. */
export function refuseReceiving({ type }: CardFacts, status: CardStatus): Refusal | undefined {
  if (status === "Terminated") return { refused: "CARD_CLOSED" };
  if (type === "Lite") return { refused: "TRANSACTION_NOT_PERMITTED", message: LITE };
  return undefined;
}

/** Why no money can be taken from a card by its owner, if so. */
export function refusePaying(card: CardFacts, status: CardStatus): Refusal | undefined {
  return status === "Frozen" ? { refused: "CARD_NOT_ACTIVE" } : refuseReceiving(card, status);
}
