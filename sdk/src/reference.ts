const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const RANDOM_CHARACTERS = 20;
const PRINTABLE = /^[\x21-\x7e]{1,30}$/;

/** A Reference that nobody has used: the time, so that they sort, and 100 random bits. */
export function newReference(now = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_CHARACTERS));
  const random = Array.from(bytes, (byte) => ALPHABET[byte & 31]).join("");
  return now.toString(36) + random;
}

export function checkReference(reference: string): string {
  if (PRINTABLE.test(reference)) return reference;
  throw new TypeError("A reference has 1 to 30 printable ASCII characters and no spaces.");
}
