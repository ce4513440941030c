import classes from "./money.module.css";

const formats = new Map<string, Intl.NumberFormat>();

/** As the reader's language writes it, with the currency's own decimals. */
export function formatMoney(amount: number, currency: string): string {
  return formatOf(currency).format(amount);
}

/**
 * As many as the browser knows of. What is no currency has none, and where people write none by custom the
 * standard may have some: both are for the service to judge.
 */
export function decimalsOf(currency: string): number | undefined {
  if (!/^[A-Z]{3}$/.test(currency)) return undefined;
  return formatOf(currency).resolvedOptions().minimumFractionDigits || undefined;
}

/** More than any currency has: an amount is shown to its last digit. */
const MOST_DECIMALS = 4;

function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat(undefined, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    maximumFractionDigits: MOST_DECIMALS,
  });
  formats.set(currency, format);
  return format;
}

interface MoneyProps {
  amount: number;
  currency: string;
  /** The currency's name beside the figure, where its symbol could be any dollar's. */
  withCode?: boolean;
  /** It never moved. */
  isVoid?: boolean;
}

/** Plain elements: a list has hundreds of them. */
export function Money({ amount, currency, withCode = false, isVoid = false }: MoneyProps) {
  return (
    <span className={isVoid ? classes.void : "figures"}>
      {formatMoney(amount, currency)}
      {withCode && <span className={classes.code}>{currency}</span>}
    </span>
  );
}
