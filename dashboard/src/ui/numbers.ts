const integers = new Intl.NumberFormat();

export const formatCount = (count: number): string => integers.format(count);

/** "1 card", "2 cards", "2 entries". */
export function plural(count: number, one: string): string {
  const many = one.endsWith("y") ? `${one.slice(0, -1)}ies` : `${one}s`;
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

export const percent = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${((100 * part) / whole).toFixed(part === whole ? 0 : 1)} %`;
