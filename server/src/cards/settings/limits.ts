import type { Currency } from "../../foundation/currencies.ts";
import { parseAmount } from "../../foundation/money.ts";
import type { Card } from "../card.ts";

export interface RequestedLimits {
  dailyLimit?: number | null | undefined;
  transactionLimit?: number | null | undefined;
}

export type Limits = Pick<Card, "dailyLimitMinor" | "transactionLimitMinor">;

/** Limits as they are stored; whatever is not asked for is not limited. */
export function readLimits(
  requested: RequestedLimits | null | undefined,
  currency: Currency,
): Limits {
  const read = (name: keyof RequestedLimits): bigint | null => {
    const limit = requested?.[name] ?? null;
    return limit === null ? null : parseAmount(limit, currency, { field: `cardLimits.${name}` });
  };
  return {
    dailyLimitMinor: read("dailyLimit"),
    transactionLimitMinor: read("transactionLimit"),
  };
}

/** A code that is given twice counts once. */
export const foldMccs = (mccs: readonly string[]): string[] => [...new Set(mccs)];
