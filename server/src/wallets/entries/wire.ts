import { z } from "zod";
import { decimalText, formatAmount } from "../../foundation/money.ts";
import { amount, currency, id, timestamp } from "../../http/schema.ts";
import type { LedgerLine } from "../../ledger/lines.ts";
import { entryKinds, entryMeanings, type WalletEntryKind } from "./kinds.ts";

const meanings = Object.entries(entryMeanings)
  .map(([kind, meaning]) => `${kind}: ${meaning}`)
  .join(" ");

export const WalletEntry = z
  .strictObject({
    entryId: z.string().meta({ description: "What moved the money" }),
    walletId: id("wal"),
    kind: z
      .enum(entryKinds)
      .meta({ description: `Why the money moved. ${meanings}`, examples: ["TopUp"] }),
    direction: z.enum(["Debit", "Credit"]).meta({ description: "Credit: the wallet got it" }),
    amount,
    currency,
    balanceAfter: amount,
    transactionId: id("txn").optional(),
    reference: z
      .string()
      .optional()
      .meta({ description: "The Reference of the request that caused it" }),
    createdAt: timestamp,
  })
  .meta({ id: "WalletEntry", description: "One line of a wallet's ledger" });

export function entryOf(walletId: string, line: LedgerLine): z.infer<typeof WalletEntry> {
  const { entryId, kind, direction, currency: unit, transactionId, reference } = line;
  return {
    entryId,
    walletId,
    // A wallet has no lines of any other kind.
    kind: kind as WalletEntryKind,
    direction,
    amount: formatAmount(line.amountMinor, unit),
    currency: unit,
    balanceAfter: formatAmount(line.balanceMinor, unit),
    ...(transactionId === null ? {} : { transactionId }),
    ...(reference === null ? {} : { reference }),
    createdAt: line.createdAt.toISOString(),
  };
}

export const CSV_HEAD = [
  "entryId",
  "walletId",
  "kind",
  "direction",
  "amount",
  "currency",
  "balanceAfter",
  "transactionId",
  "reference",
  "createdAt",
];

/** The same as cells, in the order of the head. */
export function cellsOf(walletId: string, line: LedgerLine): (string | null)[] {
  return [
    line.entryId,
    walletId,
    line.kind,
    line.direction,
    decimalText(line.amountMinor, line.currency),
    line.currency,
    decimalText(line.balanceMinor, line.currency),
    line.transactionId,
    line.reference,
    line.createdAt.toISOString(),
  ];
}
