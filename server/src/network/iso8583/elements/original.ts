import type { Message } from "../fields.ts";
import { readElement } from "./element.ts";

const INSTITUTION_DIGITS = 11;

/** What DE 90 tells of the message that another one is about; zeros where it cannot tell. */
export interface Original {
  mti: string;
  /** Its DE 11. */
  trace: string;
  /** Its DE 7. */
  transmitted: string;
  /** Its DE 32, in 11 digits. */
  acquirer: string;
  /** Its DE 33, in 11 digits. */
  forwarder: string;
}

/** DE 90. */
export function originalOf(message: Message): Original | undefined {
  return readElement(message, 90, (text) => ({
    mti: text.slice(0, 4),
    trace: text.slice(4, 10),
    transmitted: text.slice(10, 20),
    acquirer: text.slice(20, 31),
    forwarder: text.slice(31),
  }));
}

/** DE 90 of a message that is about this one. */
export function writeOriginal({ mti, fields }: Message): string {
  return (
    mti +
    (fields[11] ?? "0".repeat(6)) +
    (fields[7] ?? "0".repeat(10)) +
    institutionDigits(fields[32] ?? "") +
    institutionDigits("")
  );
}

/** An institution's number in the 11 digits in which DE 90 writes it, to compare the two. */
export function institutionDigits(institution: string): string {
  return institution.padStart(INSTITUTION_DIGITS, "0");
}
