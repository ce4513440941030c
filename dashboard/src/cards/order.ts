import type { Card } from "@florin/sdk";
import type { FormErrors } from "@mantine/form";
import { amountOf, checkAmount } from "../ui/amount.ts";

export type Kind = "retail" | "corporate" | "lite" | "reissue";

/** What the form holds; empty fields are empty strings. */
export interface Order {
  kind: Kind;
  customerId: string;
  cardId: string;
  sharesBalance: boolean;
  currency: string;
  nameOnCard: string;
  initialBalance: string;
  balance: string;
  swipeCount: number | string;
  transactionLimit: string;
  dailyLimit: string;
  contactlessPayment: boolean;
}

export function initialOrder(customerId = ""): Order {
  return {
    kind: "retail",
    customerId,
    cardId: "",
    sharesBalance: true,
    currency: "USD",
    nameOnCard: "",
    initialBalance: "",
    balance: "",
    swipeCount: "",
    transactionLimit: "",
    dailyLimit: "",
    contactlessPayment: false,
  };
}

/** Another card of the same customer. */
export function orderBeside({ customerId, cardId }: Pick<Card, "customerId" | "cardId">): Order {
  return { ...initialOrder(customerId), kind: "reissue", cardId };
}

/** Only what the operation takes and the reader has filled in. */
export function bodyOf(order: Order): Record<string, unknown> {
  const { kind, customerId, currency, contactlessPayment } = order;
  const common = { customerId, ...limitsOf(order) };
  if (kind === "lite") {
    return {
      ...common,
      currency,
      ...amount("balance", order.balance),
      ...(order.swipeCount === "" ? {} : { swipeCount: Number(order.swipeCount) }),
    };
  }
  const initialBalance = amount("initialBalance", order.initialBalance);
  if (kind === "reissue") {
    const money = order.sharesBalance ? { cardId: order.cardId } : initialBalance;
    return { ...common, contactlessPayment, sharedBalance: order.sharesBalance, ...money };
  }
  const name = order.nameOnCard.trim();
  return {
    ...common,
    currency,
    contactlessPayment,
    ...initialBalance,
    ...(name === "" ? {} : { nameOnCard: name }),
  };
}

function limitsOf({ transactionLimit, dailyLimit }: Order) {
  const cardLimits = {
    ...amount("transactionLimit", transactionLimit),
    ...amount("dailyLimit", dailyLimit),
  };
  return Object.keys(cardLimits).length === 0 ? {} : { cardLimits };
}

const amount = (name: string, typed: string): Record<string, number> =>
  typed.trim() === "" ? {} : { [name]: amountOf(typed) };

/** What is wrong with the amounts that would be sent. */
export function errorsOf(order: Order): FormErrors {
  const { currency, transactionLimit, dailyLimit } = order;
  const checkLimit = checkAmount({ currency, isOptional: true });
  return {
    ...balanceErrorOf(order),
    transactionLimit: checkLimit(transactionLimit),
    dailyLimit: checkLimit(dailyLimit),
  };
}

function balanceErrorOf({ kind, currency, balance, initialBalance, sharesBalance }: Order) {
  if (kind === "lite") return { balance: checkAmount({ currency })(balance) };
  if (kind === "reissue" && sharesBalance) return {};
  const check = checkAmount({ currency, isOptional: true, mayBeZero: true });
  return { initialBalance: check(initialBalance) };
}
