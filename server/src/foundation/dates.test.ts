import fc from "fast-check";
import { expect, test } from "vitest";
import { isoTime, parseDate, parseTimestamp, readRange } from "./dates.ts";

test.each(["2026-01-31", "2024-02-29", "2000-02-29", "1899-12-31", "0001-01-01", "9999-12-31"])(
  "%s is a day",
  (text) => {
    expect(parseDate(text)?.toISOString()).toBe(`${text}T00:00:00.000Z`);
    expect(parseTimestamp(text)).toEqual(parseDate(text));
  },
);

test.each([
  ["no such day", ["2026-02-29", "1900-02-29", "2026-02-30", "2026-04-31", "2026-01-32"]],
  ["no such day", ["2026-01-00", "2026-00-01", "2026-13-01", "0000-01-01"]],
  ["another form", ["2026-1-31", "26-01-31", "20260131", "31-01-2026", "2026/01/31", "2026-01"]],
  ["another form", ["", " 2026-01-31", "2026-01-31 ", "2026-01-31\n", "+002026-01-31", "now"]],
  ["other digits", ["２０２６-01-31"]],
])("refuses %s: %j", (_, texts) => {
  expect(texts.filter((text) => parseDate(text) ?? parseTimestamp(text))).toEqual([]);
});

test.each([
  ["2026-01-31T12:34:56.789Z", "2026-01-31T12:34:56.789Z"],
  ["2026-01-31T12:34:56Z", "2026-01-31T12:34:56.000Z"],
  ["2026-01-31T12:34Z", "2026-01-31T12:34:00.000Z"],
  ["2026-01-31T12:34:56.7Z", "2026-01-31T12:34:56.700Z"],
  // No time that we tell lies between the two.
  ["2026-01-31T12:34:56.789000001Z", "2026-01-31T12:34:56.790Z"],
  ["2026-12-31T23:59:59.9999Z", "2027-01-01T00:00:00.000Z"],
  ["2026-01-31T12:34:56.789000000Z", "2026-01-31T12:34:56.789Z"],
  ["2026-01-31T12:34:56", "2026-01-31T12:34:56.000Z"], // UTC, wherever the service runs.
  ["2026-01-31T00:30:00+01:00", "2026-01-30T23:30:00.000Z"],
  ["2026-01-31T23:30:00-05:30", "2026-02-01T05:00:00.000Z"],
  ["2026-01-31T12:00:00+00:00", "2026-01-31T12:00:00.000Z"],
])("%s is %s", (text, moment) => {
  expect(parseTimestamp(text)?.toISOString()).toBe(moment);
});

test.each([
  ["no such time", ["2026-01-31T24:00:00Z", "2026-01-31T12:60:00Z", "2026-01-31T12:00:60Z"]],
  ["no such day", ["2026-02-30T12:00:00Z", "2026-02-29T00:00:00.000Z", "0000-01-01T00:00:00Z"]],
  ["no such offset", ["2026-01-31T12:00:00+24:00", "2026-01-31T12:00:00+01:60"]],
  ["another form", ["2026-01-31 12:00:00Z", "2026-01-31t12:00:00z", "2026-01-31T12Z"]],
  ["another form", ["2026-01-31T12:00:00+0100", "2026-01-31T12:00:00.Z", "1769860800000"]],
  ["another form", ["2026-01-31T12:00:00.0123456789Z", "2026-01-31T12:00:00 01:00"]],
  ["another form", ["2026-01-31Z", "2026-01-31T", "Sat, 31 Jan 2026 12:00:00 GMT", "2026-W05-6"]],
])("refuses %s: %j", (_, texts) => {
  expect(texts.filter(parseTimestamp)).toEqual([]);
});

const dates = fc.date({
  min: new Date("0001-01-02T00:00:00Z"),
  max: new Date("9999-12-30T00:00:00Z"),
  noInvalidDate: true,
});

test("every moment comes back from the text it prints, and every day from its date", () => {
  fc.assert(
    fc.property(dates, (date) => {
      const text = date.toISOString();
      expect(parseTimestamp(text)).toEqual(date);
      expect(parseTimestamp(text.slice(0, -1))).toEqual(date);
      expect(parseDate(text.slice(0, 10))?.toISOString().slice(0, 10)).toBe(text.slice(0, 10));
    }),
  );
});

test("a time with an offset is the moment it names", () => {
  fc.assert(
    fc.property(dates, fc.integer({ min: -1439, max: 1439 }), (date, minutes) => {
      const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
      const pad = (n: number) => String(Math.floor(n)).padStart(2, "0");
      const size = Math.abs(minutes);
      const offset = `${minutes < 0 ? "-" : "+"}${pad(size / 60)}:${pad(size % 60)}`;
      expect(parseTimestamp(local + offset)).toEqual(date);
    }),
  );
});

type Bound = string | undefined;

test.each<[from: Bound, to: Bound, start: Bound, end: Bound]>([
  [undefined, undefined, undefined, undefined],
  ["2026-01-01", undefined, "2026-01-01T00:00:00.000Z", undefined],
  [undefined, "2026-01-31", undefined, "2026-02-01T00:00:00.000Z"],
  ["2026-01-01", "2026-01-01", "2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"],
  ["2026-01-01T12:00Z", "2026-01-01", "2026-01-01T12:00:00.000Z", "2026-01-02T00:00:00.000Z"],
  ["2026-01-01", "2026-01-01T08:00Z", "2026-01-01T00:00:00.000Z", "2026-01-01T08:00:00.000Z"],
  ["2026-01-01", "2026-01-01T00:00Z", "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"],
  [
    "2026-01-01T01:00+01:00",
    "2026-01-01T00:00Z",
    "2026-01-01T00:00:00.000Z",
    "2026-01-01T00:00:00.000Z",
  ],
])("from %s to %s is [%s, %s)", (from, to, start, end) => {
  const range = readRange({ from, to });
  expect([range.from?.toISOString(), range.to?.toISOString()]).toEqual([start, end]);
});

test.each<[from: Bound, to: Bound, message: RegExp]>([
  ["yesterday", undefined, /^`from` must be a date/],
  ["", undefined, /^`from` must be a date/],
  [undefined, "2026-02-30", /^`to` must be a date/],
  ["2026-01-02", "2026-01-01", /^`from` must not be after `to`$/], // Also by a single day.
  ["2026-01-01T08:00:00.001Z", "2026-01-01T08:00:00Z", /after/],
  ["2026-01-02T00:00Z", "2026-01-01", /after/],
  ["2026-01-01", "2026-01-01T00:00:00+01:00", /after/],
])("from %s to %s is refused", (from, to, message) => {
  expect(() => readRange({ from, to })).toThrow(
    expect.objectContaining({
      codeName: "INVALID_DATE_REQUEST",
      message: expect.stringMatching(message),
    }),
  );
});

test("times are written as the runtime writes them, whichever were written before", () => {
  const times = fc.array(fc.date({ noInvalidDate: true }), { minLength: 1 });
  const nearby = fc.array(fc.integer({ min: -3_000, max: 3_000 }).map((ms) => new Date(ms)));
  fc.assert(
    fc.property(fc.oneof(times, nearby), (dates) => {
      expect(dates.map(isoTime)).toEqual(dates.map((date) => date.toISOString()));
    }),
  );
});

test("what is no time is not written", () => {
  expect(() => isoTime(new Date(Number.NaN))).toThrow(RangeError);
});
