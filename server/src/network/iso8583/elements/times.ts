import type { Fields, Message } from "../fields.ts";
import { type Refuse, readElement, refusing } from "./element.ts";

/** DE 7: the message does not tell the year, so it is the one that brings the time nearest to now. */
export function transmissionTimeOf(message: Message, now: Date): Date | undefined {
  return readElement(message, 7, (text, refuse) => {
    const { month, day } = dayOf(text.slice(0, 4), refuse);
    const { hour, minute, second } = timeOfDay(text.slice(4), refuse);
    const thisYear = now.getUTCFullYear();
    const times = [thisYear - 1, thisYear, thisYear + 1]
      .map((year) => new Date(Date.UTC(year, month - 1, day, hour, minute, second)))
      // The runtime takes 29 February for 1 March in most years.
      .filter((time) => time.getUTCDate() === day);
    const [nearest] = times.sort((a, b) => distance(a, now) - distance(b, now));
    return nearest ?? refuse("must be a day of this year, the one before or the next");
  });
}

/** DE 7. */
export function writeTransmissionTime(time: Date): string {
  return time.toISOString().slice(5, 19).replace(/\D/g, "");
}

/** A time on the clock where the card was used, whose year and zone nobody tells. */
interface LocalTime {
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/** DE 12 and DE 13, which go together. */
export function localTimeOf(message: Message): LocalTime | undefined {
  const day = readElement(message, 13, dayOf);
  const time = readElement(message, 12, timeOfDay);
  if (day === undefined && time === undefined) return undefined;
  if (day === undefined) return refusing(message, 13)("is missing, but DE 12 needs it");
  if (time === undefined) return refusing(message, 12)("is missing, but DE 13 needs it");
  return { ...day, ...time };
}

/** DE 12 and DE 13. */
export function writeLocalTime(local: LocalTime): Fields {
  const { month, day, hour, minute, second } = local;
  return { 12: pairs(hour, minute, second), 13: pairs(month, day) };
}

/** DE 14: the last month in which the card is good. */
export function expiryOf(message: Message): { month: number; year: number } | undefined {
  return readElement(message, 14, (text, refuse) => {
    const [year = 0, month = 0] = pairsIn(text);
    if (month < 1 || month > 12) return refuse("must be a year and a month, YYMM");
    return { month, year: 2000 + year };
  });
}

/** DE 14. */
export function writeExpiry({ month, year }: { month: number; year: number }): string {
  return pairs(year % 100, month);
}

const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function dayOf(text: string, refuse: Refuse): Pick<LocalTime, "month" | "day"> {
  const [month = 0, day = 0] = pairsIn(text);
  if (day < 1 || day > (LONGEST_MONTHS[month - 1] ?? 0)) return refuse("must be a day, MMDD");
  return { month, day };
}

function timeOfDay(text: string, refuse: Refuse): Pick<LocalTime, "hour" | "minute" | "second"> {
  const [hour = 0, minute = 0, second = 0] = pairsIn(text);
  if (hour > 23 || minute > 59 || second > 59) return refuse("must be a time, hhmmss");
  return { hour, minute, second };
}

function pairsIn(digits: string): number[] {
  return (digits.match(/../g) ?? []).map(Number);
}

function pairs(...numbers: number[]): string {
  return numbers.map((number) => String(number).padStart(2, "0")).join("");
}

function distance(a: Date, b: Date): number {
  return Math.abs(a.getTime() - b.getTime());
}
