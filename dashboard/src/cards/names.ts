import type { Card } from "../api/types.ts";

/** How people speak of a card: by its last four digits. */
export const lastFour = ({ maskedPan }: Pick<Card, "maskedPan">): string =>
  `•••• ${maskedPan.slice(-4)}`;

export const expiryOf = ({ expiryMonth, expiryYear }: Card): string =>
  `${String(expiryMonth).padStart(2, "0")}/${String(expiryYear).slice(-2)}`;
