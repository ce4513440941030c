import type { Effects, Operation } from "../../engine/operation.ts";
import { insert, need } from "../../engine/table.ts";
import { availableMinor } from "../../ledger/accounts.ts";
import type { Programme } from "../../programmes/programmes.ts";
import { transactions } from "../../transactions/table.ts";
import { completed } from "../../transactions/transaction.ts";
import type { Card, CardSecrets } from "../card.ts";
import type { DescribedCard } from "../describe.ts";
import { debtsOfCustomer, owesTooMuch } from "./debts.ts";
import { newCardEffects } from "./new-card-effects.ts";

export interface IssueCard {
  card: Card;
  secrets: CardSecrets;
  /** Missing where the organization has no wallet in the card's currency. */
  walletId: string | undefined;
  /** Of the money that the card begins with. */
  transactionId: string;
  amountMinor: bigint;
  programmes: readonly Programme[];
}

/** Makes a card with an account of its own, and funds it from the wallet. */
export const issueCard: Operation<IssueCard, DescribedCard> = {
  name: "issue-card",
  accounts: ({ walletId, amountMinor }) =>
    walletId === undefined || amountMinor === 0n ? [] : [walletId],
  needs: ({ card }) => [need(debtsOfCustomer, card.customerId)],
  decide: (view, input, now) => {
    const { card, secrets, walletId, amountMinor, programmes } = input;
    const { cardId, accountId, currency } = card;
    if (owesTooMuch(view, card.customerId, programmes)) {
      return { refused: "NEGATIVE_BALANCE_EXCEEDS_LIMIT" };
    }
    const wallet = walletId === undefined ? undefined : view.account(walletId);
    if (amountMinor > 0n && (wallet === undefined || availableMinor(wallet) < amountMinor)) {
      return { refused: "INSUFFICIENT_FUNDS" };
    }
    const begun = newCardEffects(card, secrets, { postedMinor: amountMinor, heldMinor: 0n });
    const funding =
      wallet === undefined || amountMinor === 0n
        ? { postings: [], rows: [] }
        : fundingFrom(wallet.accountId, input, now);
    return {
      effects: {
        accounts: [{ accountId, kind: "Card", currency }],
        postings: funding.postings,
        rows: [...begun.rows, ...funding.rows],
        events: begun.events,
      },
      answer: begun.described,
      resourceId: cardId,
    };
  },
};

function fundingFrom(
  walletId: string,
  { card, transactionId, amountMinor }: IssueCard,
  now: Date,
): Required<Pick<Effects, "postings" | "rows">> {
  const type = "InitialFunding" as const;
  const posting = {
    entryId: transactionId,
    kind: type,
    debitAccountId: walletId,
    creditAccountId: card.accountId,
    amountMinor,
    currency: card.currency,
    transactionId,
  };
  const transaction = completed({ transactionId, card, type, amountMinor, now });
  return { postings: [posting], rows: [insert(transactions, transaction)] };
}
