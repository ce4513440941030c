import type { Currency } from "../foundation/currencies.ts";
import { convert } from "../foundation/fx.ts";
import { billingRate, type Rates } from "../programmes/programmes.ts";

/** What a payment is in the currency of its card. */
export interface Billing {
  amountMinor: bigint;
  /** Null where nothing was converted. */
  rate: string | null;
}

/** What an amount is in the programme's currency; null: the programme has no rate for it. */
export function billingOf(
  programme: Rates,
  amountMinor: bigint,
  currency: Currency,
): Billing | null {
  if (currency === programme.currency) return { amountMinor, rate: null };
  const rate = billingRate(programme, currency);
  if (rate === undefined) return null;
  return { amountMinor: convertPaid(amountMinor, currency, programme.currency, rate), rate };
}

/** Converts what is paid, to at least one minor unit: only 0 comes to 0. */
export function convertPaid(
  amountMinor: bigint,
  from: Currency,
  to: Currency,
  rate: string,
): bigint {
  const converted = convert(amountMinor, from, to, rate);
  return converted === 0n && amountMinor > 0n ? 1n : converted;
}
