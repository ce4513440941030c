import fc from "fast-check";
import { expect, test } from "vitest";
import type { Fields, Message } from "../fields.ts";
import { FormatError } from "../format-error.ts";
import {
  expiryOf,
  localTimeOf,
  transmissionTimeOf,
  writeExpiry,
  writeLocalTime,
  writeTransmissionTime,
} from "./times.ts";

const message = (fields: Fields): Message => ({ mti: "0100", fields });
const at = (text: string) => new Date(text);

test.each([
  ["0131235959", "2026-01-31T23:59:59Z", "2026-02-01T00:00:03Z"],
  ["1231235959", "2025-12-31T23:59:59Z", "2026-01-01T00:00:01Z"],
  ["0101000001", "2027-01-01T00:00:01Z", "2026-12-31T23:59:59Z"],
  ["0229120000", "2028-02-29T12:00:00Z", "2028-03-01T00:00:00Z"],
  ["0229120000", "2024-02-29T12:00:00Z", "2025-02-28T23:59:59Z"],
  ["0701000000", "2026-07-01T00:00:00Z", "2026-01-01T00:00:00Z"],
])("%s was sent at %s if it is now %s", (text, sent, now) => {
  expect(transmissionTimeOf(message({ 7: text }), at(now))).toEqual(at(sent));
});

test("a time within half a year is read as it was written", () => {
  const now = fc.date({
    min: at("2025-01-01T00:00:00Z"),
    max: at("2049-12-31T00:00:00Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(now, fc.integer({ min: -180 * 86_400, max: 180 * 86_400 }), (now, seconds) => {
      const sent = new Date(Math.floor(now.getTime() / 1000 + seconds) * 1000);
      expect(transmissionTimeOf(message({ 7: writeTransmissionTime(sent) }), now)).toEqual(sent);
    }),
  );
});

test.each([
  "0000000000",
  "1301000000",
  "0132000000",
  "0230000000",
  "0431000000",
  "0100000000",
  "0131240000",
  "0131006000",
  "0131000060",
])("%s is no time of a message", (text) => {
  expect(() => transmissionTimeOf(message({ 7: text }), at("2026-01-31T00:00:00Z"))).toThrow(
    FormatError,
  );
});

test("29 February is none where no such year is near", () => {
  const sent = message({ 7: "0229120000" });
  expect(() => transmissionTimeOf(sent, at("2026-02-28T00:00:00Z"))).toThrow(FormatError);
});

test("the local time is read as it was written", () => {
  const local = { month: 2, day: 29, hour: 0, minute: 5, second: 59 };
  expect(writeLocalTime(local)).toEqual({ 12: "000559", 13: "0229" });
  expect(localTimeOf(message(writeLocalTime(local)))).toEqual(local);
});

test.each<[what: string, fields: Fields, place: number]>([
  ["a time without a day", { 12: "120000" }, 13],
  ["a day without a time", { 13: "0131" }, 12],
  ["30 February", { 12: "120000", 13: "0230" }, 13],
  ["day 0", { 12: "120000", 13: "0100" }, 13],
  ["24 o'clock", { 12: "240000", 13: "0131" }, 12],
])("refuses %s", (_, fields, place) => {
  expect(() => localTimeOf(message(fields))).toThrow(expect.objectContaining({ place }));
});

test("a message without times has none", () => {
  expect(localTimeOf(message({}))).toBeUndefined();
  expect(transmissionTimeOf(message({}), at("2026-01-31T00:00:00Z"))).toBeUndefined();
  expect(expiryOf(message({}))).toBeUndefined();
});

test.each([
  ["2812", { month: 12, year: 2028 }],
  ["0001", { month: 1, year: 2000 }],
  ["9906", { month: 6, year: 2099 }],
])("the expiry %s is read and written", (text, expiry) => {
  expect(expiryOf(message({ 14: text }))).toEqual(expiry);
  expect(writeExpiry(expiry)).toBe(text);
});

test.each(["0000", "2800", "2813", "1228"])("%s is no expiry", (text) => {
  expect(() => expiryOf(message({ 14: text }))).toThrow("must be a year and a month, YYMM");
});
