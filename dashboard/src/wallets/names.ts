import type { WalletEntry } from "@florin/sdk";
import { inWords } from "../ui/words.ts";

const KINDS: Record<WalletEntry["kind"], string> = {
  Deposit: "Deposit",
  Adjustment: "Adjustment",
  InitialFunding: "Initial funding",
  TopUp: "Top-up",
  Withdrawal: "Withdrawal",
  Settlement: "Settlement",
  Refund: "Refund",
  CrossBorderCharge: "Cross-border charge",
  Regularization: "Regularization",
  TerminationPayout: "Payout at termination",
};

/**
 * Why the money moved. A transaction's type is no name for it: each settlement would be a force post. A newer service
 * than this page may have more kinds.
 */
export const entryName = (kind: WalletEntry["kind"]): string => KINDS[kind] ?? inWords(kind);
