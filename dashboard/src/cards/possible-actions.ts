import type { Card } from "@florin/sdk";
import type { Permission } from "../api/own-types.ts";

export type CardAction =
  | "top-up"
  | "withdraw"
  | "transfer"
  | "reissue"
  | "freeze"
  | "unfreeze"
  | "terminate"
  | "regularize";

/** What can be done with this card, by this person, in this state. */
export function possibleActions(
  { type, status, balance }: Pick<Card, "type" | "status" | "balance">,
  can: (permission: Permission) => boolean,
): CardAction[] {
  if (status === "Terminated") return can("cards.money") && balance < 0 ? ["regularize"] : [];
  const actions: CardAction[] = [];
  // A Lite card keeps the money that it was issued with, and cannot be issued again.
  if (type !== "Lite" && can("cards.money")) {
    actions.push("top-up");
    // A frozen card gives nothing away.
    if (status !== "Frozen") actions.push("withdraw", "transfer");
  }
  if (type !== "Lite" && can("cards.issue")) actions.push("reissue");
  if (can("cards.status")) actions.push(status === "Frozen" ? "unfreeze" : "freeze");
  if (can("cards.terminate")) actions.push("terminate");
  return actions;
}

/** Whether money can be moved from a card to another, which may be frozen. */
export function canReceive(
  source: Pick<Card, "cardId" | "currency">,
  other: Pick<Card, "cardId" | "currency" | "type" | "status">,
): boolean {
  const isAnother = other.cardId !== source.cardId && other.currency === source.currency;
  return isAnother && other.type !== "Lite" && other.status !== "Terminated";
}
