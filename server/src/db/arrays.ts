import { isoTime } from "../foundation/dates.ts";

/**
 * PostgreSQL array literals. The driver can make them too, but escapes every element with two regular
 * expressions; batches are made of arrays, so it shows.
 */
export function textArray(values: readonly (string | null)[]): string {
  let literal = "{";
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as string | null;
    if (i > 0) literal += ",";
    literal += value === null ? "null" : quoted(value);
  }
  return `${literal}}`;
}

export function numberArray(values: readonly (number | bigint | null)[]): string {
  return `{${values.map((value) => value ?? "null").join(",")}}`;
}

export function bytesArray(values: readonly (Buffer | null)[]): string {
  return `{${values.map((value) => (value === null ? "null" : `"\\\\x${value.toString("hex")}"`)).join(",")}}`;
}

function quoted(value: string): string {
  return value.includes('"') || value.includes("\\")
    ? `"${value.replace(/["\\]/g, "\\$&")}"`
    : `"${value}"`;
}

export function timeArray(values: readonly (Date | null)[]): string {
  return `{${values.map((value) => (value === null ? "null" : `"${isoTime(value)}"`)).join(",")}}`;
}

/** Of any values; null becomes SQL's null, not JSON's. */
export function jsonArray(values: readonly unknown[]): string {
  return textArray(values.map((value) => (value === null ? null : JSON.stringify(value))));
}

/**
 * Many JSON values as one parameter, for json_array_elements: inside an array literal every quote would
 * have to be escaped.
 */
export function jsonList(values: readonly unknown[]): string {
  let list = "[";
  for (let i = 0; i < values.length; i++) {
    if (i > 0) list += ",";
    list += JSON.stringify(values[i]);
  }
  return `${list}]`;
}
