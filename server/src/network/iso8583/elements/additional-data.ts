import type { Message } from "../fields.ts";
import { FormatError } from "../format-error.ts";
import { readElement } from "./element.ts";

const TAG_AND_LENGTH = /([0-9]{2})([0-9]{2})/y;
const LONGEST_VALUE = 99;
const CVV2_TAG = "92";

/** DE 48 as its subfields by tag. */
export function additionalDataOf(message: Message): Map<string, string> | undefined {
  return readElement(message, 48, (text, refuse) => {
    const subfields = new Map<string, string>();
    for (let position = 0; position < text.length; ) {
      TAG_AND_LENGTH.lastIndex = position;
      const [, tag, length] = TAG_AND_LENGTH.exec(text) ?? [];
      if (tag === undefined) return refuse("must consist of subfields with a tag and a length");
      if (subfields.has(tag)) return refuse("must not have the same subfield twice");
      const start = position + tag.length + (length?.length ?? 0);
      position = start + Number(length);
      if (position > text.length) return refuse("ends within a subfield");
      subfields.set(tag, text.slice(start, position));
    }
    return subfields;
  });
}

/** DE 48. */
export function writeAdditionalData(subfields: ReadonlyMap<string, string>): string {
  return [...subfields].map(([tag, value]) => writtenSubfield(tag, value)).join("");
}

/** The CVV2 that the cardholder told, from DE 48. */
export function cvv2Of(message: Message): string | undefined {
  const cvv2 = additionalDataOf(message)?.get(CVV2_TAG);
  if (cvv2 === undefined || /^[0-9]{3}$/.test(cvv2)) return cvv2;
  const reason = `must have 3 digits in subfield ${CVV2_TAG}`;
  throw new FormatError({ place: 48, reason }, message);
}

/** DE 48 with nothing but the CVV2. */
export function writeCvv2(cvv2: string): string {
  return writtenSubfield(CVV2_TAG, cvv2);
}

function writtenSubfield(tag: string, value: string): string {
  if (!/^[0-9]{2}$/.test(tag) || value.length > LONGEST_VALUE) {
    const reason = `has subfields with a tag of 2 digits and at most ${LONGEST_VALUE} characters`;
    throw new FormatError({ place: 48, reason });
  }
  return tag + String(value.length).padStart(2, "0") + value;
}
