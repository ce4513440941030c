import { expect, test } from "vitest";
import type { Figure, Sample, Yardstick } from "./figure.ts";
import { printReport } from "./report.ts";

const measure = async (): Promise<Sample> => ({ value: 0 });
const stick: Yardstick = { name: "stick", title: "bare route", unit: "/s", measure };
const rate: Figure = {
  name: "rate",
  title: "GET /things",
  unit: "/s",
  yardstick: stick,
  target: { bound: "at least", value: 0.33, aim: 0.5 },
  measure,
};
const memory: Figure = {
  name: "memory",
  title: "memory",
  unit: "MB",
  target: { bound: "at most", value: 150 },
  measure,
};
const about = {
  date: "2026-01-31T12:00:00.000Z",
  node: "20.19.0",
  platform: "linux x64",
  cpu: "A CPU",
  cores: 2,
  memoryMb: 8_000,
  loadAverage: 0.1,
  options: { figures: [rate, memory], jsonFile: undefined, seconds: 8, pairs: 1, help: false },
};

test("each figure stands with its yardstick, target and verdict", () => {
  const pair = {
    sample: { value: 4_000, details: { p50Ms: 12.34 } },
    yardstick: { value: 10_000 },
  };
  const text = printReport({
    ...about,
    postgres: "18.4",
    outcomes: [
      { figure: rate, pairs: [pair] },
      { figure: memory, pairs: [{ sample: { value: 203.4 } }] },
    ],
  });
  expect(text).toContain("A CPU, 2 cores, Node.js 20.19.0, PostgreSQL 18.4");
  expect(text).toMatch(
    /^GET \/things {2}4,000\/s {3}10,000\/s bare route {2}0\.40 × {2}≥ 0\.33 × {2}0\.5 × {2}ok$/m,
  );
  expect(text).toMatch(/^memory +203 MB +≤ 150 MB +MISSED$/m);
  expect(text).toMatch(/^rate +4,000\/s +12\.3$/m);
});

test("a figure without its yardstick is shown, not judged, and the reason is said", () => {
  const outcome = {
    figure: rate,
    pairs: [{ sample: { value: 4_000 } }],
    yardstickMissing: "it is not installed",
  };
  const text = printReport({ ...about, outcomes: [outcome] });
  expect(text).toMatch(
    /^GET \/things +4,000\/s +bare route: not here +≥ 0\.33 × +0\.5 × +not compared$/m,
  );
  expect(text).toContain("Without yardstick: it is not installed.");
});

test.each([
  [0.5, false],
  [0.6, true],
])("with 2 cores a load of %f is busy: %s", (loadAverage, isBusy) => {
  expect(printReport({ ...about, loadAverage, outcomes: [] }).includes("was busy")).toBe(isBusy);
});
