import type { Operation } from "../engine/operation.ts";
import type { Currency } from "../foundation/currencies.ts";
import { formatAmount } from "../foundation/money.ts";
import { type Account, counterAccount } from "../ledger/accounts.ts";

export interface Deposit {
  entryId: string;
  walletId: string;
  currency: Currency;
  amountMinor: bigint;
}

/** Brings money in from outside: debit the deposits account, credit the wallet. */
export const deposit: Operation<Deposit, Account> = {
  name: "deposit",
  accounts: ({ walletId }) => [walletId],
  decide: (view, { entryId, walletId, currency, amountMinor }) => {
    const wallet = view.account(walletId);
    if (wallet === undefined) return { refused: "UNABLE_TO_LOCATE_RECORD" };
    const postedMinor = wallet.postedMinor + amountMinor;
    return {
      effects: {
        postings: [
          {
            entryId,
            kind: "Deposit",
            debitAccountId: counterAccount("Deposits", currency),
            creditAccountId: walletId,
            amountMinor,
            currency,
          },
        ],
        events: [
          {
            eventType: "wallet.deposited",
            data: {
              walletId,
              currency,
              amount: formatAmount(amountMinor, currency),
              balance: formatAmount(postedMinor, currency),
            },
          },
        ],
      },
      answer: { ...wallet, postedMinor },
      resourceId: walletId,
    };
  },
};
