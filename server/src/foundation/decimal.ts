/** A decimal number as written: ± digits × 10^exponent, digits without zeros at either end. */
interface Decimal {
  negative: boolean;
  digits: string;
  exponent: number;
}

/** Takes apart a JSON number literal or the text of a finite number; zero has no digits. */
export function readDecimal(text: string): Decimal {
  const negative = text.startsWith("-");
  const mantissaEnd = text.search(/e/i);
  const mantissa = text.slice(negative ? 1 : 0, mantissaEnd < 0 ? undefined : mantissaEnd);
  const point = mantissa.indexOf(".");
  const all = point < 0 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1);

  let start = 0;
  let end = all.length;
  while (all[start] === "0") start += 1;
  while (end > start && all[end - 1] === "0") end -= 1;
  if (start === end) return { negative, digits: "", exponent: 0 };

  const written = mantissaEnd < 0 ? 0 : Number(text.slice(mantissaEnd + 1));
  const decimals = point < 0 ? 0 : mantissa.length - point - 1;
  return {
    negative,
    digits: all.slice(start, end),
    exponent: written - decimals + (all.length - end),
  };
}

/** Whether both texts write the same number; the sign of zero does not matter. */
export function sameDecimal(left: string, right: string): boolean {
  const a = readDecimal(left);
  const b = readDecimal(right);
  return (
    a.digits === b.digits &&
    a.exponent === b.exponent &&
    (a.negative === b.negative || a.digits === "")
  );
}
