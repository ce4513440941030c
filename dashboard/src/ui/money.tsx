import { decimalsOf } from "./decimals.ts";
import classes from "./money.module.css";

const formats = new Map<string, Intl.NumberFormat>();

/** As the reader's language writes it, with the currency's own decimals. */
export function formatMoney(amount: number, currency: string): string {
  return formatOf(currency).format(amount);
}

function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency);
  if (known !== undefined) return known;
  const decimals = decimalsOf(currency);
  const format = new Intl.NumberFormat(undefined, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    ...(decimals !== undefined && {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    }),
  });
  formats.set(currency, format);
  return format;
}

interface MoneyProps {
  amount: number;
  currency: string;
  /** The currency's name beside the figure, where its symbol could be any dollar's. */
  withCode?: boolean;
  /** The amount never moved, as of a declined purchase. */
  isVoid?: boolean;
}

/** The space beside a currency's name, which languages write so that no line ends there. */
const SPACE_AT_NAME = /(?<=\p{L})\u00a0|\u00a0(?=\p{L})/u;

/** Plain elements: a list has hundreds of them. Where it is too long for its place, the name goes first. */
export function Money({ amount, currency, withCode = false, isVoid = false }: MoneyProps) {
  const text = formatMoney(amount, currency).replace(SPACE_AT_NAME, " ");
  const isNamed = text.includes(currency);
  return (
    <span className={isVoid ? classes.void : "figures"}>
      {text}
      {withCode && !isNamed && <span className={classes.code}>{currency}</span>}
    </span>
  );
}
