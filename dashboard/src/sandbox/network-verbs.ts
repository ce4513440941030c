import type { Transaction } from "@florin/sdk";

export type Verb = "settle" | "reverse" | "refund";

type Amounts = Pick<Transaction, "heldAmount" | "settledAmount" | "refundedAmount">;

/** What the network may still say about a purchase. */
export function verbsFor({ heldAmount, settledAmount, refundedAmount }: Amounts): Verb[] {
  const verbs: Verb[] = [];
  if (heldAmount > 0) verbs.push("settle", "reverse");
  if (settledAmount > refundedAmount) verbs.push("refund");
  return verbs;
}
