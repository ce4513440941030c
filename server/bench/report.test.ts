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
  syncUs: 1_234,
  options: {
    figures: [rate, memory],
    jsonFile: undefined,
    seconds: 8,
    pairs: 1,
    commitWaitMs: 0,
    help: false,
  },
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
    /^GET \/things {3}4,000\/s {2}0\.40 × {2}≥ 0\.33 × {2}0\.5 × {2}ok {6}10,000\/s bare route$/m,
  );
  expect(text).toMatch(/^memory +203 MB +≤ 150 MB +MISSED$/m);
  expect(text).toMatch(/^rate +4,000\/s +p50 12\.3 ms$/m);
  expect(text).toMatch(/^ {2}÷ stick +10,000\/s$/m);
});

test("a figure without its yardstick is shown, not judged, and the reason is said", () => {
  const outcome = {
    figure: rate,
    pairs: [{ sample: { value: 4_000 } }],
    yardstickMissing: "it is not installed",
  };
  const text = printReport({ ...about, outcomes: [outcome] });
  expect(text).toMatch(
    /^GET \/things +4,000\/s +≥ 0\.33 × +0\.5 × +not compared +bare route: not here$/m,
  );
  expect(text).toContain("Without yardstick: it is not installed.");
});

const latency: Figure = {
  name: "latency",
  title: "latency",
  unit: "ms",
  pace: { share: 0.75, of: stick },
  target: { bound: "at most", value: 15 },
  measure,
};

test("what set the pace is shown, and what must be said is said once for all samples", () => {
  const said = { remark: "it fell behind", violation: "it lied" };
  const pair = { sample: { value: 9.04, ...said }, yardstick: { value: 10_000 } };
  const text = printReport({ ...about, outcomes: [{ figure: latency, pairs: [pair, pair] }] });
  expect(text).toMatch(/^latency +9\.0 ms +≤ 15 ms +MISSED +at 0\.75 × 10,000\/s bare route$/m);
  expect(text.match(/^latency: .*$/gm)).toEqual(["latency: it lied.", "latency: it fell behind."]);
});

test("a figure whose pace nobody knows is not measured", () => {
  const outcome = { figure: latency, pairs: [], yardstickMissing: "it is not installed" };
  const text = printReport({ ...about, outcomes: [outcome] });
  expect(text).toMatch(/^latency +– +≤ 15 ms +not measured +bare route: not here$/m);
});

test("what the disk takes is said, because ratios depend on it", () => {
  expect(printReport({ ...about, outcomes: [] })).toMatch(/^a sync of the disk takes 1\.23 ms$/m);
  const slower = { ...about, options: { ...about.options, commitWaitMs: 3 }, outcomes: [] };
  expect(printReport(slower)).toMatch(/^a sync of the disk takes 1\.23 ms, and commits wait 3 ms/m);
});

test.each([
  [0.5, false],
  [0.6, true],
])("with 2 cores a load of %f is busy: %s", (loadAverage, isBusy) => {
  expect(printReport({ ...about, loadAverage, outcomes: [] }).includes("was busy")).toBe(isBusy);
});
