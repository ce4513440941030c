import type { WalletEntry } from "@florin/sdk";
import { inWords } from "../ui/words.ts";

const KINDS: Record<WalletEntry["kind"], string> = {
  Deposit: "Deposit",
  Adjustment: "Adjustment",
  InitialFunding: "Initial funding",
  TopUp: "Top-up",
  Withdrawal: "Withdrawal",
  Transfer: "Transfer",
  Settlement: "Settlement",
  Refund: "Refund",
  CrossBorderCharge: "Cross-border charge",
  Regularization: "Regularization",
  TerminationPayout: "Payout at termination",
};

/** Why the money moved. A transaction's type is no name for it: each settlement would be a force post. */
export const entryName = (kind: WalletEntry["kind"]): string => KINDS[kind] ?? inWords(kind);
