import type { Hits } from "../api/own-types.ts";
import { lastFour } from "../cards/names.ts";
import { stageName, typeName } from "../transactions/names.ts";
import { formatMoney } from "../ui/money.tsx";

export interface Option {
  to: string;
  label: string;
  detail: string;
}

export interface OptionGroup {
  title: string;
  options: Option[];
}

export function groupsOf({ cards, customers, transactions }: Hits): OptionGroup[] {
  return [
    {
      title: "Cards",
      options: cards.map((card) => ({
        to: `/cards/${card.cardId}`,
        label: `${lastFour(card)} ${card.nameOnCard}`,
        detail: `${card.type} · ${card.status}`,
      })),
    },
    {
      title: "Customers",
      options: customers.map((customer) => ({
        to: `/customers/${customer.customerId}`,
        label: customer.name,
        detail: customer.clientReference,
      })),
    },
    {
      title: "Transactions",
      options: transactions.map((transaction) => ({
        to: `/transactions/${transaction.transactionId}`,
        label: transaction.merchantName ?? typeName(transaction.type),
        detail: `${formatMoney(transaction.amount, transaction.currency)} · ${stageName(transaction.stage)}`,
      })),
    },
  ];
}
