import type { Address } from "@florin/sdk";

export const addressLine = ({ street, city, state, postalCode, country }: Address): string =>
  [street, city, state, postalCode, country].filter(Boolean).join(", ");
