export type Kind = "retail" | "corporate" | "lite" | "reissue";

/** What the form holds; empty fields are empty strings. */
export interface Order {
  kind: Kind;
  customerId: string;
  cardId: string;
  sharesBalance: boolean;
  currency: string;
  nameOnCard: string;
  initialBalance: number | string;
  balance: number | string;
  swipeCount: number | string;
  transactionLimit: number | string;
  dailyLimit: number | string;
  contactlessPayment: boolean;
}

export function initialOrder(customerId = "", cardId?: string): Order {
  return {
    kind: cardId === undefined ? "retail" : "reissue",
    customerId,
    cardId: cardId ?? "",
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

/** Only what the operation takes and the reader has filled in. */
export function bodyOf(order: Order): Record<string, unknown> {
  const { kind, customerId, contactlessPayment } = order;
  const common = { customerId, ...limitsOf(order) };
  if (kind === "lite") {
    return {
      ...common,
      ...amount("balance", order.balance),
      ...amount("swipeCount", order.swipeCount),
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

const amount = (name: string, value: number | string): Record<string, number> =>
  value === "" ? {} : { [name]: Number(value) };
