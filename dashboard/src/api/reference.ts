const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Names one action for ever: 24 characters, 120 random bits. */
export function newReference(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return Array.from(bytes, (byte) => ALPHABET[byte % 32]).join("");
}
