import { afterEach, expect, test } from "vitest";
import { momentsOf } from "../src/ui/days.ts";

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test.each([
  ["UTC", "2026-01-31", "2026-01-31T00:00:00.000Z", "2026-02-01T00:00:00.000Z"],
  ["Africa/Lagos", "2026-01-31", "2026-01-30T23:00:00.000Z", "2026-01-31T23:00:00.000Z"],
  ["Asia/Kathmandu", "2026-12-31", "2026-12-30T18:15:00.000Z", "2026-12-31T18:15:00.000Z"],
  // 23 and 25 hours long.
  ["America/New_York", "2026-03-08", "2026-03-08T05:00:00.000Z", "2026-03-09T04:00:00.000Z"],
  ["America/New_York", "2026-11-01", "2026-11-01T04:00:00.000Z", "2026-11-02T05:00:00.000Z"],
  // Begins at 1:00.
  ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000Z", "2026-04-24T21:00:00.000Z"],
])("in %s %s lasts from midnight to midnight", (timeZone, day, from, to) => {
  process.env.TZ = timeZone;
  expect(momentsOf(day, day)).toEqual({ from, to });
});

test("what is no day bounds nothing", () => {
  expect(momentsOf(undefined, undefined)).toEqual({});
  expect(momentsOf("2026-02-3", "tomorrow")).toEqual({});
  expect(momentsOf(undefined, "9999-12-31")).toEqual({});
});
