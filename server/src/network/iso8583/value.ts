import type { CharacterSet, FieldSpec } from "./fields.ts";

const characterSets: Record<CharacterSet, { pattern: RegExp; reason: string }> = {
  n: { pattern: /^[0-9]*$/, reason: "must consist of digits" },
  an: { pattern: /^[0-9A-Za-z]+ *$/, reason: "must consist of letters and digits" },
  ans: { pattern: /^[ -~]*$/, reason: "must consist of printable ASCII characters" },
};

/** Why a length is none that the field may have. */
export function faultOfLength(spec: FieldSpec, length: number): string | undefined {
  const { minLength, maxLength } = spec;
  if (length >= minLength && length <= maxLength) return undefined;
  const allowed = minLength === maxLength ? `${minLength}` : `${minLength} to ${maxLength}`;
  return `must have ${allowed} characters, not ${length}`;
}

/** Why the characters are none that the field may have. */
export function faultOfCharacters(spec: FieldSpec, value: string): string | undefined {
  const { pattern, reason } = characterSets[spec.characters];
  return pattern.test(value) ? undefined : reason;
}
