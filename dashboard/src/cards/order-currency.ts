import type { Card, Programme } from "@florin/sdk";
import type { Kind, Order } from "./order.ts";

const TYPES: Record<Exclude<Kind, "reissue">, Card["type"]> = {
  retail: "Retail",
  corporate: "Corporate",
  lite: "Lite",
};

/** The currencies that cards of a kind are issued in, each once, in the order of their programmes. */
export function currenciesOf(programmes: readonly Programme[], kind: Kind): string[] {
  if (kind === "reissue") return [];
  const fitting = programmes.filter(({ cardTypes }) => cardTypes.includes(TYPES[kind]));
  return [...new Set(fitting.map(({ currency }) => currency))];
}

/** What the card will be in: what was chosen, as far as it can be, or what the card is that it follows. */
export function currencyOf(
  { kind, currency }: Pick<Order, "kind" | "currency">,
  choices: readonly string[],
  follows: Pick<Card, "currency"> | undefined,
): string {
  if (kind === "reissue") return follows?.currency ?? currency;
  return choices.includes(currency) ? currency : (choices[0] ?? currency);
}
