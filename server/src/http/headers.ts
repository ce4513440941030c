/** The five headers that every call carries, each as it was sent. */
export interface AuthenticationHeaders {
  authorization: string | undefined;
  serviceauthorization: string | undefined;
  uniquekey: string | undefined;
  reference: string | undefined;
  signature: string | undefined;
}

type Name = keyof AuthenticationHeaders;

const names: ReadonlySet<string> = new Set<Name>([
  "authorization",
  "serviceauthorization",
  "uniquekey",
  "reference",
  "signature",
]);

/** Their lengths, to pass over other headers without folding their case. */
const LENGTHS: ReadonlySet<number> = new Set([...names].map((name) => name.length));

/** Longer than any honest value; a token is the longest of them. */
const MAX_LENGTH = 8_192;

/**
 * Reads the headers from their raw list. A header that is repeated or too long counts as missing: which
 * copy would be the right one is not ours to guess, and Node would quietly drop or join them.
 */
export function readAuthenticationHeaders(raw: readonly string[]): AuthenticationHeaders {
  const found: AuthenticationHeaders = {
    authorization: undefined,
    serviceauthorization: undefined,
    uniquekey: undefined,
    reference: undefined,
    signature: undefined,
  };
  let spoiled: Name[] | undefined;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const rawName = raw[i] as string;
    if (!LENGTHS.has(rawName.length)) continue;
    const name = rawName.toLowerCase();
    if (!isName(name)) continue;
    const value = raw[i + 1] as string;
    if (found[name] !== undefined || value.length > MAX_LENGTH) {
      spoiled ??= [];
      spoiled.push(name);
    }
    found[name] = value;
  }
  for (const name of spoiled ?? []) found[name] = undefined;
  return found;
}

const isName = (name: string): name is Name => names.has(name);
