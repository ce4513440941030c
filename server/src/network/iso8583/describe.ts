import { maskPan } from "../../cards/pan.ts";
import { type FieldSpec, fieldList, type Message } from "./fields.ts";

/**
 * A message as it may stand in a log: `0100 2=411111******1111 3=000000 48=…`. What may be shown is
 * said in the table; a field that is not in it does not appear.
 */
export function describeMessage({ mti, fields }: Message): string {
  const shown = fieldList.flatMap(({ number, spec }) => {
    const value = fields[number];
    return value === undefined ? [] : [`${number}=${shownOf(spec, value)}`];
  });
  return [mti, ...shown].join(" ");
}

function shownOf(spec: FieldSpec, value: string): string {
  if (spec.inLogs === "withheld") return "…";
  if (spec.inLogs === "masked") return /^[0-9]{13,19}$/.test(value) ? maskPan(value) : "…";
  return /^[0-9A-Za-z]+$/.test(value) ? value : JSON.stringify(value);
}
