import { maskDigits, maskPrinted } from "./mask-digits.ts";

const REDACTED = "[redacted]";

/** Names whose values are secret, also as the end of a longer name such as `newClientSecret`. */
const LONG_NAMES = [
  "authorization",
  "secret",
  "password",
  "passwd",
  "passphrase",
  "token",
  "signature",
  "cookie",
  "(?:api|unique|private|master)[-_ ]?key",
  "totp",
  "cvv2?",
  "cvc2?",
  "bvn",
  "id[-_ ]?number",
  "card[-_ ]?number",
  "id[-_ ]?(?:front|back)[-_ ]?image",
].join("|");

/** Names too short to be looked for inside words: a `span` is no PAN. */
const SHORT_NAMES = "pan|pin|otp|v?nin";

const LONG_NAME = new RegExp(`(?:${LONG_NAMES})s?$`, "i");
const SHORT_NAME = new RegExp(`(?:^|[^a-z])(?:${SHORT_NAMES})s?$`, "i");
const SHORT_NAME_AFTER_HUMP = /[a-z](?:Pan|PAN|Pin|PIN|Otp|OTP|Nin|NIN)s?$/;

/** A number under such a name is an amount, a time or a size, however many digits it has. */
const QUANTITY_NAME = /(?:Minor|Ms|Bytes|[aA]mount|[bB]alance)$/;

/**
 * `name: value`, `name=value` and `"name":"value"` within a text, at any depth of escaping. Where a
 * name begins cannot be told here, so that even `span=` loses its value, which does no harm.
 */
const ANY_NAME = `(?:${LONG_NAMES}|${SHORT_NAMES})s?`;
const NAMED_COOKIE = /(cookies?\\*["']?\s*[:=]\s*)[^\r\n]+/gi;
const NAMED_QUOTED = new RegExp(
  `(${ANY_NAME}\\\\*["']?\\s*[:=]\\s*)(\\\\*["'])[\\s\\S]*?(?:\\2(?=[\\s,;&)}\\]]|$)|$)`,
  "gi",
);
const NAMED_BARE = new RegExp(
  `(${ANY_NAME}\\\\*["']?\\s*[:=]\\s*)(?:(?:Bearer|Basic|ServiceAuth)\\s+)?[^\\s"'\\\\&,;<>]+`,
  "gi",
);

/** Values that are secret under any name. */
const SCHEME = /\b(Bearer|Basic|ServiceAuth)(\s+)[A-Za-z0-9\-._~+/]{6,}=*/gi;
const JWT = /eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)+/g;
const PREFIXED = /\b(whsec|sk|rk)_[A-Za-z0-9+/_-]{8,}=*/g;
const URL_PASSWORD = /(:\/\/[^\s/:@]*):[^\s/]+@/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*-----|$)/g;
const LONG_BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{256,}=*/g;

const SEPARATOR = "(?:[ +\\u00a0\\u2010-\\u2015-]|%20)";
/** Groups of digits as cards print them, whatever parts these; `maskPrinted` looks closer. */
const SIGNS = "(?:(?:%[0-9A-Fa-f]{2}){1,3}|[^0-9A-Za-z]{1,3})";
const PRINTED = new RegExp(`\\d{4,}(?:${SIGNS}\\d+){2,}`, "g");
const OWN_ID = "\\b[a-z]{3,4}_[0-7][0-9a-hjkmnp-tv-z]{25}(?![0-9A-Za-z])";
const DATE = "\\b(?:19|20)\\d\\d-[01]\\d-[0-3]\\d(?![\\d-])";
const ID_DATE_OR_DIGITS = new RegExp(`(${OWN_ID}|${DATE})|\\d(?:${SEPARATOR}?\\d){10,}`, "g");

/**
 * One of these finds every text that may need work; most do not, and pay for the tests alone. They
 * are apart because all of them in one expression are many times slower.
 */
const SUSPICIONS = [
  new RegExp(`(?:${LONG_NAMES})s?\\\\*["']?\\s*[:=,]`, "i"),
  new RegExp(`(?:${SHORT_NAMES})s?\\\\*["']?\\s*[:=,]`, "i"),
  // Digits as people group them. A fraction right after a colon is a duration and has many.
  new RegExp(`\\d{3}(?:\\d{8}(?<!:\\d+\\.\\d+)|${SEPARATOR}\\d{3})`),
  new RegExp(`\\d${SEPARATOR}\\d\\d?${SEPARATOR}\\d\\d?${SEPARATOR}\\d`),
  new RegExp(`\\d{4}${SIGNS}\\d{4}(?:\\d\\d)?${SIGNS}\\d{4}`),
  /[Bb]earer|BEARER|[Bb]asic|BASIC|eAuth|eyJ|whsec_|[sr]k_|PRIVATE KEY-|"Buffer"/,
  /:\/\/[^\s/:@]*:[^\s/]+@/,
  /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{256}/,
];

/**
 * The last line of defence before a log line is written: whatever was logged, and wherever in it,
 * no secret, token, card number or identity number leaves the process. Takes and gives one line of
 * JSON; a line that cannot be read is withheld, since it could not be searched either.
 */
export function redactLine(line: string): string {
  if (!isSuspicious(line)) return line;
  try {
    return `${JSON.stringify(redactValue(JSON.parse(line), ""))}\n`;
  } catch {
    return `{"level":50,"msg":"A log line was not JSON and has been withheld"}\n`;
  }
}

function isSuspicious(text: string): boolean {
  for (const suspicion of SUSPICIONS) if (suspicion.test(text)) return true;
  return false;
}

function redactValue(value: unknown, name: string): unknown {
  if (typeof value === "string") return redactString(value, name);
  if (typeof value === "number") return redactNumber(value, name);
  if (Array.isArray(value)) return redactList(value);
  if (typeof value === "object" && value !== null) return redactObject(value);
  return value;
}

function redactString(text: string, name: string): string {
  return QUANTITY_NAME.test(name) && /^-?\d+$/.test(text) ? text : redactText(text);
}

function redactNumber(value: number, name: string): number | string {
  if (!Number.isInteger(value) || QUANTITY_NAME.test(name)) return value;
  // Beyond this the number is not the one that was logged, and its check digit proves nothing.
  if (!Number.isSafeInteger(value)) return REDACTED;
  const text = redactText(String(value));
  return text === String(value) ? value : text;
}

/** Raw headers are lists in which each name stands before its value. */
function redactList(list: readonly unknown[]): unknown[] {
  return list.map((value, index) => {
    const before = list[index - 1];
    return typeof before === "string" && isSecretName(before)
      ? withhold(value)
      : redactValue(value, "");
  });
}

function redactObject(object: object): unknown {
  if ("type" in object && object.type === "Buffer" && "data" in object) return REDACTED;
  const entries = Object.entries(object);
  const namesSecret = entries.some(
    ([name, value]) =>
      /^(?:name|key|header)$/i.test(name) && typeof value === "string" && isSecretName(value),
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [
      redactText(name),
      isSecretName(name) || (namesSecret && name.toLowerCase() === "value")
        ? withhold(value)
        : redactValue(value, name),
    ]),
  );
}

/** Whether a secret is there at all is no secret, and helps whoever reads the log. */
function withhold(value: unknown): unknown {
  return value === null || typeof value === "boolean" || value === "" ? value : REDACTED;
}

function isSecretName(name: string): boolean {
  return LONG_NAME.test(name) || SHORT_NAME.test(name) || SHORT_NAME_AFTER_HUMP.test(name);
}

/** Short words with no run of eleven digits hide nothing, and most of what is logged is such words. */
const isPlainWord = (text: string): boolean => text.length <= 40 && PLAIN_WORD.test(text);
const PLAIN_WORD = /^[A-Za-z]*(?:\d{1,10}(?:[A-Za-z]+|$))*$/;

/** The same for one text that is to become part of a line. */
export function redactText(text: string): string {
  if (isPlainWord(text) || !isSuspicious(text)) return text;
  return text
    .replace(PRIVATE_KEY, REDACTED)
    .replace(NAMED_COOKIE, `$1${REDACTED}`)
    .replace(NAMED_QUOTED, `$1$2${REDACTED}$2`)
    .replace(NAMED_BARE, `$1${REDACTED}`)
    .replace(SCHEME, `$1$2${REDACTED}`)
    .replace(JWT, REDACTED)
    .replace(PREFIXED, `$1_${REDACTED}`)
    .replace(URL_PASSWORD, `$1:${REDACTED}@`)
    .replace(LONG_BASE64, REDACTED)
    .replace(PRINTED, maskPrinted)
    .replace(ID_DATE_OR_DIGITS, (match, kept) => kept ?? maskDigits(match));
}
