import type { Operation } from "../../engine/operation.ts";
import { insert, need } from "../../engine/table.ts";
import type { Currency } from "../../foundation/currencies.ts";
import { decimalText, formatAmount } from "../../foundation/money.ts";
import { availableMinor, counterAccount } from "../../ledger/accounts.ts";
import { type Adjustment, adjustmentByReference, auditLog, walletAdjustments } from "./table.ts";

export interface AdjustWallet {
  reference: string;
  entryId: string;
  auditId: string;
  walletId: string;
  currency: Currency;
  /** Above zero: money in. */
  amountMinor: bigint;
}

export interface Adjusted {
  /** False when this reference had done it before. */
  isNew: boolean;
  adjustment: Adjustment;
  balanceMinor: bigint;
}

/**
 * Moves money between a wallet and the deposits account, once for each reference, for ever. The
 * wallet's lock guards its references too.
 */
export const adjustWallet: Operation<AdjustWallet, Adjusted> = {
  name: "adjust-wallet",
  accounts: ({ walletId }) => [walletId],
  needs: ({ reference }) => [need(adjustmentByReference, reference)],
  decide: (view, input, now) => {
    const { reference, entryId, walletId, currency, amountMinor } = input;
    const wallet = view.account(walletId);
    if (wallet === undefined) return { refused: "UNABLE_TO_LOCATE_RECORD" };
    const earlier = view.row(walletAdjustments, reference);
    if (earlier !== undefined) {
      if (earlier.walletId !== walletId || earlier.amountMinor !== amountMinor) {
        return { refused: "DUPLICATE_TRANSACTION", message: usedFor(earlier) };
      }
      const answer = { isNew: false, adjustment: earlier, balanceMinor: wallet.postedMinor };
      return { effects: { postings: [], events: [] }, answer };
    }
    if (amountMinor < 0n && availableMinor(wallet) + amountMinor < 0n) {
      return { refused: "INSUFFICIENT_FUNDS" };
    }
    const isCredit = amountMinor > 0n;
    const deposits = counterAccount("Deposits", currency);
    const balanceMinor = wallet.postedMinor + amountMinor;
    const adjustment = { reference, walletId, entryId, amountMinor, currency, createdAt: now };
    return {
      effects: {
        postings: [
          {
            entryId,
            kind: "Adjustment",
            debitAccountId: isCredit ? deposits : walletId,
            creditAccountId: isCredit ? walletId : deposits,
            amountMinor: isCredit ? amountMinor : -amountMinor,
            currency,
            reference,
          },
        ],
        rows: [insert(walletAdjustments, adjustment), insert(auditLog, deedOf(input, now))],
        events: isCredit ? [deposited(input, balanceMinor)] : [],
      },
      answer: { isNew: true, adjustment, balanceMinor },
      resourceId: walletId,
    };
  },
};

export function describeAdjustment({ amountMinor, currency }: Adjustment): string {
  const isCredit = amountMinor > 0n;
  const amount = decimalText(isCredit ? amountMinor : -amountMinor, currency);
  return `a ${isCredit ? "credit" : "debit"} of ${amount} ${currency}`;
}

export const usedFor = (earlier: Adjustment): string =>
  `The reference ${earlier.reference} was used for ${describeAdjustment(earlier)}`;

function deedOf({ auditId, reference, walletId, currency, amountMinor }: AdjustWallet, at: Date) {
  const action = amountMinor > 0n ? "wallet.credited" : "wallet.debited";
  const amount = decimalText(amountMinor > 0n ? amountMinor : -amountMinor, currency);
  return { auditId, action, detail: { reference, walletId, currency, amount }, at };
}

function deposited({ walletId, currency, amountMinor }: AdjustWallet, balanceMinor: bigint) {
  const amount = formatAmount(amountMinor, currency);
  const balance = formatAmount(balanceMinor, currency);
  return { eventType: "wallet.deposited", data: { walletId, currency, amount, balance } };
}
