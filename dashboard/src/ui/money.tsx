import { Text, type TextProps } from "@mantine/core";

const formats = new Map<string, Intl.NumberFormat>();

/** As the reader's language writes it, with the currency's own decimals. */
export function formatMoney(amount: number, currency: string): string {
  return formatOf(currency).format(amount);
}

function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat(undefined, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
  });
  formats.set(currency, format);
  return format;
}

interface MoneyProps extends TextProps {
  amount: number;
  currency: string;
  /** The currency's name beside the figure, where its symbol could be any dollar's. */
  withCode?: boolean;
}

export function Money({ amount, currency, withCode = false, ...text }: MoneyProps) {
  return (
    <Text component="span" inherit className="figures" {...text}>
      {formatMoney(amount, currency)}
      {withCode && (
        <Text component="span" c="dimmed" fz="0.8em" ml={6} fw={400}>
          {currency}
        </Text>
      )}
    </Text>
  );
}
