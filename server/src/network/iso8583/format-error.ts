import { type Fields, specOf } from "./fields.ts";

/** Where the fault is: the number of a field, or a part that has none. */
export type Place = number | "frame" | "MTI" | "bitmap" | "message";

/** What is wrong. The reason speaks of form only: it never repeats what was sent. */
export interface Fault {
  readonly place: Place;
  readonly reason: string;
}

/** What an answer repeats, so that the sender can tell which of its messages is meant. */
const echoed = [7, 11, 12, 13, 32, 37, 41, 42] as const;
export type Echo = Pick<Fields, (typeof echoed)[number]>;

/** A message that is not as it must be, on its way in or out. */
export class FormatError extends Error {
  override readonly name = "FormatError";
  readonly place: Place;
  readonly reason: string;
  /** Where it could be read. */
  readonly mti: string | undefined;
  /** DE 11, where it could be read. */
  readonly traceNumber: string | undefined;
  // Private, so that no logger prints it: a message out of step may hold a card number anywhere.
  readonly #echo: Echo;

  constructor(fault: Fault, known?: { readonly mti: string; readonly fields: Fields }) {
    super(`${nameOf(fault.place)} ${fault.reason}`);
    this.place = fault.place;
    this.reason = fault.reason;
    this.mti = known?.mti;
    this.traceNumber = known?.fields[11];
    this.#echo = echoOf(known?.fields ?? {});
  }

  /** The fields that were read before the fault and that an answer repeats. */
  get echo(): Echo {
    return this.#echo;
  }
}

function nameOf(place: Place): string {
  if (typeof place !== "number") return `The ${place}`;
  const spec = specOf(place);
  return spec === undefined ? `DE ${place}` : `DE ${place} (${spec.name})`;
}

function echoOf(fields: Fields): Echo {
  const echo: { -readonly [Number in keyof Echo]: Echo[Number] } = {};
  for (const number of echoed) {
    const value = fields[number];
    if (value !== undefined) echo[number] = value;
  }
  return echo;
}
