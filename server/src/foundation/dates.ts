import { Failure } from "./failure.ts";

export const DAY_MS = 86_400_000;
const DATE = /^(?!0000)\d{4}-\d\d-\d\d$/;
const TIME =
  /^(?<date>\d{4}-\d\d-\d\d)T(?<time>(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3}(?<finer>\d{0,6}))?)?)(?<offset>Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;

/** A stretch of time: `from` belongs to it, `to` does not. Without a bound it is open there. */
export interface TimeRange {
  from: Date | undefined;
  to: Date | undefined;
}

/** What is wrong with a text that `parseTimestamp` cannot read. */
export const NO_TIMESTAMP =
  "must be a date (2026-01-31) or a time in ISO 8601 (2026-01-31T12:00:00.000Z)";

interface Second {
  number: number;
  /** All of a time but its milliseconds. */
  text: string;
}

let last: Second = { number: Number.NaN, text: "" };
let oneBefore = last;

/**
 * A time as JSON and PostgreSQL read it. Batches write many within two seconds, the one in which payments
 * are made and the one in which they expire, so the last two are remembered.
 */
export function isoTime(time: Date): string {
  const ms = time.getTime();
  const number = Math.floor(ms / 1_000);
  if (number !== last.number) {
    const second = number === oneBefore.number ? oneBefore : { number, text: secondOf(time) };
    oneBefore = last;
    last = second;
  }
  const fraction = ms - number * 1_000;
  return `${last.text}${fraction < 10 ? "00" : fraction < 100 ? "0" : ""}${fraction}Z`;
}

const secondOf = (time: Date): string => time.toISOString().slice(0, -"000Z".length);

/** A real calendar day written YYYY-MM-DD, as its midnight in UTC. */
export function parseDate(text: string): Date | undefined {
  if (!DATE.test(text)) return undefined;
  const date = new Date(`${text}T00:00:00.000Z`);
  // The runtime takes 30 February for 2 March.
  return isValid(date) && date.toISOString().startsWith(text) ? date : undefined;
}

/**
 * A moment in ISO 8601. Without an offset it is UTC, never the zone of this machine; a bare date is
 * its midnight; what is finer than a millisecond is rounded up, so that a bound lies on the same side of all times
 * that we tell, which have milliseconds.
 */
export function parseTimestamp(text: string): Date | undefined {
  const { date, time, finer = "", offset = "Z" } = TIME.exec(text)?.groups ?? {};
  if (date === undefined) return parseDate(text);
  if (parseDate(date) === undefined) return undefined;
  const cutOff = Date.parse(`${date}T${time}${offset}`);
  const moment = new Date(/[1-9]/.test(finer) ? cutOff + 1 : cutOff);
  return isValid(moment) ? moment : undefined;
}

/** Reads the bounds of a filter. A bare date as `to` means all of that day. */
export function readRange(bounds: {
  from?: string | undefined;
  to?: string | undefined;
}): TimeRange {
  const from = readBound("from", bounds.from);
  const to = readBound("to", bounds.to);
  const isWholeDay = bounds.to !== undefined && DATE.test(bounds.to);
  const end = to && isWholeDay ? new Date(to.getTime() + DAY_MS) : to;
  // The midnight after the last day is already after it.
  if (from && end && (isWholeDay ? from >= end : from > end)) {
    throw new Failure("INVALID_DATE_REQUEST", { message: "`from` must not be after `to`" });
  }
  return { from, to: end };
}

function readBound(name: "from" | "to", text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const moment = parseTimestamp(text);
  if (moment !== undefined) return moment;
  throw new Failure("INVALID_DATE_REQUEST", { message: `\`${name}\` ${NO_TIMESTAMP}` });
}

function isValid(date: Date): boolean {
  return !Number.isNaN(date.getTime());
}
