import { sameDecimal } from "./decimal.ts";
import { Failure } from "./failure.ts";
import { redactText } from "./redact.ts";

const DEFAULT_MAX_DEPTH = 32;

/** A text this long holds a few long strings; were it many small values, they would block everyone. */
const LONG_TEXT = 512 * 1024;
const MAX_COMMAS_IN_LONG_TEXT = 10_000;
/** Far more than any object of ours has; each that is wrong is looked at again to say why. */
const MAX_MEMBERS = 500;

/**
 * JSON.parse for request bodies, without its leniency: a key given twice, a `__proto__` key,
 * deep nesting and numbers that would be rounded are refused. Messages name positions and
 * keys, never values, because a body may hold secrets.
 */
export function parseStrictJson(text: string, limits: { maxDepth?: number } = {}): unknown {
  if (text.length > LONG_TEXT) refuseManyValues(text);
  const end = skipSpace(text, skipValue(text, 0, limits.maxDepth ?? DEFAULT_MAX_DEPTH));
  if (end < text.length) throw notJson(text, end);
  try {
    return JSON.parse(text);
  } catch {
    // The walk has approved everything but the inside of strings, which it jumps over.
    throw notJson(text, badStringStart(text));
  }
}

/** Values are parted by commas, so that few commas are few values; a search passes over Base64 quickly. */
function refuseManyValues(text: string): void {
  let at = text.indexOf(",");
  for (let commas = 1; at >= 0; commas++) {
    if (commas > MAX_COMMAS_IN_LONG_TEXT) throw invalid("body", "The body holds too many values");
    at = text.indexOf(",", at + 1);
  }
}

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = "\\".charCodeAt(0);
const COMMA = ",".charCodeAt(0);
const COLON = ":".charCodeAt(0);
const OPEN_OBJECT = "{".charCodeAt(0);
const CLOSE_OBJECT = "}".charCodeAt(0);
const OPEN_ARRAY = "[".charCodeAt(0);
const CLOSE_ARRAY = "]".charCodeAt(0);
const PLUS = "+".charCodeAt(0);
const MINUS = "-".charCodeAt(0);
const POINT = ".".charCodeAt(0);
const ZERO = "0".charCodeAt(0);
const NINE = "9".charCodeAt(0);

// Each of the following walks over one thing and answers the position behind it. The walk is
// recursive, which the number of levels left bounds.

function skipValue(text: string, start: number, levelsLeft: number): number {
  const at = skipSpace(text, start);
  const code = text.charCodeAt(at);
  if (code === QUOTE) return skipString(text, at);
  if (code === MINUS || isDigit(code)) return skipNumber(text, at);
  if (code !== OPEN_OBJECT && code !== OPEN_ARRAY) return skipWord(text, at);
  if (levelsLeft === 0) {
    throw invalid("body", `The body is nested too deeply at position ${at}`);
  }
  return code === OPEN_OBJECT
    ? skipObject(text, at, levelsLeft - 1)
    : skipArray(text, at, levelsLeft - 1);
}

function skipObject(text: string, start: number, levelsLeft: number): number {
  let at = skipSpace(text, start + 1);
  if (text.charCodeAt(at) === CLOSE_OBJECT) return at + 1;
  const keys = new Set<string>();
  for (;;) {
    const keyEnd = skipKey(text, at, keys);
    if (keys.size > MAX_MEMBERS)
      throw invalid("body", "The body holds an object of too many members");
    at = skipSpace(text, skipValue(text, expect(text, keyEnd, COLON), levelsLeft));
    if (text.charCodeAt(at) === CLOSE_OBJECT) return at + 1;
    at = skipSpace(text, expect(text, at, COMMA));
  }
}

function skipArray(text: string, start: number, levelsLeft: number): number {
  let at = skipSpace(text, start + 1);
  if (text.charCodeAt(at) === CLOSE_ARRAY) return at + 1;
  for (;;) {
    at = skipSpace(text, skipValue(text, at, levelsLeft));
    if (text.charCodeAt(at) === CLOSE_ARRAY) return at + 1;
    at = expect(text, at, COMMA);
  }
}

function skipKey(text: string, start: number, keys: Set<string>): number {
  if (text.charCodeAt(start) !== QUOTE) throw notJson(text, start);
  const end = skipString(text, start);
  const raw = text.slice(start + 1, end - 1);
  const key = raw.includes("\\") ? unescapeKey(text, start, end) : raw;
  if (key === "__proto__") throw badKey(key, "is not allowed", start);
  if (keys.has(key)) throw badKey(key, "is given twice in one object", start);
  keys.add(key);
  return end;
}

/** Searches for the closing quote instead of walking: bodies hold megabytes of base64. */
function skipString(text: string, start: number): number {
  let quote = start;
  for (;;) {
    quote = text.indexOf('"', quote + 1);
    if (quote < 0) throw notJson(text, text.length);
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
}

function skipNumber(text: string, start: number): number {
  let at = text.charCodeAt(start) === MINUS ? start + 1 : start;
  at = text.charCodeAt(at) === ZERO ? at + 1 : skipDigits(text, at);
  if (text.charCodeAt(at) === POINT) at = skipDigits(text, at + 1);
  const mantissaEnd = at;
  if (text[at] === "e" || text[at] === "E") {
    const sign = text.charCodeAt(at + 1);
    at = skipDigits(text, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
  }
  // Every number of up to 15 digits survives, unless an exponent takes it out of range.
  if (at === mantissaEnd && at - start <= 15) return at;
  if (!isExact(text.slice(start, at))) throw inexact(text, start);
  return at;
}

function skipDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at += 1;
  if (at === start) throw notJson(text, start);
  return at;
}

function skipWord(text: string, at: number): number {
  if (text.startsWith("true", at) || text.startsWith("null", at)) return at + 4;
  if (text.startsWith("false", at)) return at + 5;
  throw notJson(text, at);
}

function skipSpace(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

function expect(text: string, start: number, code: number): number {
  const at = skipSpace(text, start);
  if (text.charCodeAt(at) !== code) throw notJson(text, at);
  return at + 1;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Whether the double that JSON.parse makes of the literal is the number that was written. */
function isExact(literal: string): boolean {
  const value = Number(literal);
  return Number.isFinite(value) && sameDecimal(literal, String(value));
}

function unescapeKey(text: string, start: number, end: number): string {
  try {
    return JSON.parse(text.slice(start, end));
  } catch {
    throw notJson(text, start);
  }
}

/** Where the first string starts that holds a raw control character or a bad escape. */
function badStringStart(text: string): number {
  let start = text.indexOf('"');
  while (start >= 0) {
    const end = skipString(text, start);
    const rest = text.slice(start + 1, end - 1).replace(/\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/g, "");
    if (/[^ -\uffff]|\\/.test(rest)) return start;
    start = text.indexOf('"', end);
  }
  return text.length;
}

function notJson(text: string, position: number): Failure {
  if (position < text.length) {
    return invalid("body", `The body is not valid JSON at position ${position}`);
  }
  return text.trim() === ""
    ? invalid("body", "The body is empty; a JSON value is expected")
    : invalid("body", `The body is not valid JSON: it ends too early, at position ${position}`);
}

const MAX_SHOWN_KEY = 64;

/** A key as a refusal may repeat it: whatever was meant as a value may stand in its place, even across the cut. */
export function shownKey(key: string): string {
  const shown = redactText(key.slice(0, 2 * MAX_SHOWN_KEY));
  return shown.length > MAX_SHOWN_KEY ? `${shown.slice(0, MAX_SHOWN_KEY)}…` : shown;
}

function badKey(key: string, problem: string, position: number): Failure {
  const shown = shownKey(key);
  return invalid(shown, `The key ${JSON.stringify(shown)} ${problem}, at position ${position}`);
}

/** Names of members that hold money, for `inexact`. */
const MONEY = /(amount|balance|limit)$/i;

/** A rounded amount is a wrong amount, any other rounded number an invalid request. */
function inexact(text: string, position: number): Failure {
  const before = text.slice(Math.max(0, position - 100), position);
  const field = /"([^"\\]{1,64})"\s*:\s*$/.exec(before)?.[1] ?? "body";
  const message = `The number at position ${position} has more digits than can be kept exactly`;
  return new Failure(MONEY.test(field) ? "INVALID_REQUEST_AMOUNT" : "INVALID_REQUEST", {
    message,
    errors: [{ field, message }],
  });
}

function invalid(field: string, message: string): Failure {
  return new Failure("INVALID_REQUEST", { message, errors: [{ field, message }] });
}
