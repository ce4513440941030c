import { z } from "zod";
import { formatAmount } from "../foundation/money.ts";
import { amount, currency, id } from "../http/schema.ts";
import type { WalletRow } from "./store.ts";

export const Wallet = z
  .strictObject({ walletId: id("wal"), currency, balance: amount, availableBalance: amount })
  .meta({ id: "Wallet", description: "An organization's money in one currency" });

export function walletOf(row: WalletRow): z.infer<typeof Wallet> {
  return {
    walletId: row.walletId,
    currency: row.currency,
    balance: formatAmount(row.postedMinor, row.currency),
    availableBalance: formatAmount(row.postedMinor - row.heldMinor, row.currency),
  };
}
