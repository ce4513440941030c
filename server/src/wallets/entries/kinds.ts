import type { PostingKind } from "../../ledger/postings.ts";

/** Why a wallet's money moved. Transfers are not among them: they go from card to card. */
export type WalletEntryKind = Exclude<PostingKind, "Transfer">;

/** All that the ledger writes to a wallet. The meanings are the documentation. */
export const entryMeanings = {
  Deposit: "The sandbox began with it, or its simulator put it in.",
  Adjustment: "The operator put in what had arrived, or took out what was paid out.",
  InitialFunding: "A new card got what it begins with.",
  TopUp: "A card was topped up.",
  Withdrawal: "A card gave something back.",
  Settlement:
    "A purchase that the wallet pays, as you decide yours yourself, was settled, or posted without an authorization.",
  Refund: "A purchase that the wallet paid was refunded, or money came back without one.",
  CrossBorderCharge: "What such a purchase abroad costs on top.",
  Regularization: "What the cards of a closed balance owed was paid.",
  TerminationPayout: "What a closed balance still had came back.",
} as const satisfies Record<WalletEntryKind, string>;

export const entryKinds = Object.keys(entryMeanings) as [WalletEntryKind, ...WalletEntryKind[]];
