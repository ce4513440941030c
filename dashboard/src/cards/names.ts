import type { Card } from "@florin/sdk";

/** How people speak of a card: by its last four digits. */
export const lastFour = ({ maskedPan }: Pick<Card, "maskedPan">): string =>
  `•••• ${maskedPan.slice(-4)}`;

/** For a card whose digits are not at hand; with its prefix, so that nobody takes it for them. */
export const shortId = (cardId: string): string => `card_…${cardId.slice(-4)}`;

export const expiryOf = ({ expiryMonth, expiryYear }: Card): string =>
  `${String(expiryMonth).padStart(2, "0")}/${String(expiryYear).slice(-2)}`;

/** A number as it is printed on a card, what is hidden as dots. */
export const inFours = (number: string): string =>
  number
    .replaceAll("*", "•")
    .match(/.{1,4}/g)
    ?.join(" ") ?? number;
