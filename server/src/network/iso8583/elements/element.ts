import type { FieldNumber, Message } from "../fields.ts";
import { FormatError } from "../format-error.ts";

/** Says why a value cannot be read, without repeating it. */
export type Refuse = (reason: string) => never;

/** Reads what a field means; a message without the field gives nothing. */
export function readElement<Value>(
  message: Message,
  number: FieldNumber,
  read: (text: string, refuse: Refuse) => Value,
): Value | undefined {
  const text = message.fields[number];
  return text === undefined ? undefined : read(text, refusing(message, number));
}

/** Writes a number in so many digits. */
export function digitsOf(number: FieldNumber, value: bigint | number, length: number): string {
  const text = String(value);
  if (/^[0-9]+$/.test(text) && text.length <= length) return text.padStart(length, "0");
  throw new FormatError({ place: number, reason: `has no room for more than ${length} digits` });
}

/** Refuses a message because of one of its fields. */
export function refusing(message: Message, number: FieldNumber): Refuse {
  return (reason) => {
    throw new FormatError({ place: number, reason }, message);
  };
}
