/** A text that matches a pattern, if the pattern is of the plain kind that identifiers have. */
export function sampleOf(pattern: string, minLength = 0): string | undefined {
  const source = pattern.replace(/^\^/, "").replace(/\$$/, "");
  const tokens = source.match(TOKEN) ?? [];
  if (tokens.join("") !== source) return undefined;
  const text = tokens.map((token) => expand(token, minLength)).join("");
  return new RegExp(pattern).test(text) ? text : undefined;
}

/** A character or a class of them, and how often it stands there. */
const TOKEN = /(?:\[(?:\\.|[^\]\\])+\]|\\.|[^\\[\](){}|.*+?^$])(?:\{\d+(?:,\d*)?\}|[*+?])?/g;
const PARTS = /^(.+?)(?:\{(\d+)(?:,\d*)?\}|([*+?]))?$/s;

const CANDIDATES = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_.~ "];

function expand(token: string, minLength: number): string {
  const [, unit = "", count, sign] = PARTS.exec(token) ?? [];
  const isLiteral = !unit.startsWith("[") && !/^\\[dwsDWSbB]/.test(unit);
  const one = new RegExp(`^${unit}$`);
  const choices = isLiteral ? [unit.replace(/^\\/, "")] : CANDIDATES.filter((c) => one.test(c));
  const length =
    count === undefined ? (sign === undefined ? 1 : Math.max(1, minLength)) : Number(count);
  // Different characters where there is a choice, so that a sample looks like a value.
  return Array.from({ length }, (_, i) => choices[(i + 1) % choices.length] ?? "").join("");
}
