import { expect, test } from "vitest";
import { decode } from "./decode.ts";
import { FormatError } from "./format-error.ts";
import { answerMtiOf, type Mti } from "./message-types.ts";
import { refusalOf } from "./refusal.ts";

const fault = { place: 4, reason: "must consist of digits" };
const fields = { 2: "4111111111111111", 7: "0131120000", 11: "000001", 37: "603100000001" };

test.each<[from: Mti, to: Mti | undefined]>([
  ["0100", "0110"],
  ["0101", "0110"],
  ["0120", "0130"],
  ["0121", "0130"],
  ["0200", "0210"],
  ["0201", "0210"],
  ["0220", "0230"],
  ["0221", "0230"],
  ["0400", "0410"],
  ["0401", "0410"],
  ["0420", "0430"],
  ["0421", "0430"],
  ["0800", "0810"],
  ["0110", undefined],
  ["0130", undefined],
  ["0210", undefined],
  ["0230", undefined],
  ["0410", undefined],
  ["0430", undefined],
  ["0810", undefined],
])("%s is answered by %s, also when it is malformed", (from, to) => {
  expect(answerMtiOf(from)).toBe(to);
  const refusal = refusalOf(new FormatError(fault, { mti: from, fields }));
  const { 2: _, ...repeated } = fields;
  const expected = to && { mti: to, fields: { ...repeated, 39: "30" } };
  expect(refusal && decode(refusal)).toEqual(expected);
});

test.each([
  ["0302", "0312"],
  ["0605", "0614"],
])("%s is not spoken here, but its sender is told with %s", (from, to) => {
  const refusal = refusalOf(new FormatError(fault, { mti: from, fields }));
  expect(refusal?.toString("latin1").slice(0, 4)).toBe(to);
});

test.each(["0140", "0356", "0610"])("%s is not answered", (mti) => {
  expect(refusalOf(new FormatError(fault, { mti, fields }))).toBeUndefined();
});

test("there is no answer where type or DE 11 could not be read", () => {
  expect(refusalOf(new FormatError(fault))).toBeUndefined();
  expect(
    refusalOf(new FormatError(fault, { mti: "0100", fields: { 7: "0131120000" } })),
  ).toBeUndefined();
});
