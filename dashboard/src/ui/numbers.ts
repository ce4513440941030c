const integers = new Intl.NumberFormat();

export const formatCount = (count: number): string => integers.format(count);

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

export const percent = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${((100 * part) / whole).toFixed(part === whole ? 0 : 1)} %`;
