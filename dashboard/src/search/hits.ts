import type { Card, Customer, Transaction } from "../api/types.ts";
import { lastFour } from "../cards/names.ts";
import { nameOf } from "../customers/names.ts";
import { merchantOrType } from "../transactions/names.ts";
import { formatMoney } from "../ui/money.tsx";

export interface Hits {
  cards: Card[];
  customers: Customer[];
  transactions: Transaction[];
}

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
        label: nameOf(customer),
        detail: customer.clientReference,
      })),
    },
    {
      title: "Transactions",
      options: transactions.map((transaction) => ({
        to: `/transactions/${transaction.transactionId}`,
        label: merchantOrType(transaction),
        detail: `${formatMoney(transaction.amount, transaction.currency)} · ${transaction.stage}`,
      })),
    },
  ];
}
