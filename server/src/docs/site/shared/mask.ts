const MASK = "••••••••";

/** Hides secrets wherever they stand in a text. */
export function mask(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== "")
    .reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
}
