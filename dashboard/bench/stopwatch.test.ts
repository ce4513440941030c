import { expect, test } from "vitest";
import { waitedMs } from "./stopwatch.ts";

test.each<[string, [number, number][], number]>([
  ["nothing was asked", [], 0],
  ["one answer", [[110, 130]], 20],
  [
    "one after the other",
    [
      [110, 120],
      [130, 150],
    ],
    30,
  ],
  [
    "side by side",
    [
      [110, 140],
      [120, 150],
    ],
    40,
  ],
  [
    "one within another",
    [
      [110, 150],
      [120, 130],
    ],
    40,
  ],
  [
    "before the input and after the paint",
    [
      [50, 90],
      [210, 220],
    ],
    0,
  ],
  [
    "across both",
    [
      [50, 110],
      [190, 250],
    ],
    20,
  ],
])("waited: %s", (_name, answers, expected) => {
  expect(waitedMs({ startedAt: 100, shownAt: 200, answers })).toBe(expected);
});
