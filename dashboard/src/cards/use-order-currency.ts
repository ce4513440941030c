import type { Card, Programme } from "@florin/sdk";
import { useQuery } from "@tanstack/react-query";
import { resourceQuery } from "../api/queries.ts";
import type { Order } from "./order.ts";
import { currenciesOf, currencyOf } from "./order-currency.ts";

/**
 * The currency of a card that is ordered, those that can be chosen, and the latest card where that decides; until that
 * is known, no amount can be named, and it is awaited.
 */
export function useOrderCurrency(order: Order, original?: Card) {
  const { kind, customerId, sharesBalance } = order;
  const isReissue = kind === "reissue";
  const programmes = useQuery({
    ...resourceQuery<Programme[]>("/api/v1/programmes"),
    enabled: !isReissue,
  });
  // A card with a balance of its own is like the customer's latest one.
  const latestDecides = isReissue && !sharesBalance;
  const newest = useQuery({
    ...resourceQuery<Card[]>("/api/v1/cards", { customerId, limit: 1 }),
    enabled: latestDecides,
  });
  const choices = currenciesOf(programmes.data ?? [], kind);
  const latest = latestDecides ? newest.data?.[0] : undefined;
  return {
    currency: currencyOf(order, choices, latest ?? original),
    choices,
    latest,
    awaited: latestDecides && newest.data === undefined ? newest : undefined,
  };
}
