import { expect, test } from "vitest";
import type { Figure, Pair, Sample, Target, Yardstick } from "./figure.ts";
import { type Outcome, summarize } from "./outcome.ts";

const measure = async (): Promise<Sample> => ({ value: 0 });
const yardstick: Yardstick = { name: "stick", title: "stick", unit: "/s", measure };

function outcome(target: Target, pairs: Pair[], held?: Yardstick): Outcome {
  const figure: Figure = { name: "figure", title: "figure", unit: "/s", target, measure };
  return { figure: held === undefined ? figure : { ...figure, yardstick: held }, pairs };
}

const pairsOf = (...values: [number, number?][]): Pair[] =>
  values.map(([value, held]) => ({
    sample: { value },
    ...(held === undefined ? {} : { yardstick: { value: held } }),
  }));

test("the ratio is the median of the pairs' ratios, not the ratio of the medians", () => {
  const pairs = pairsOf([100, 100], [300, 100], [400, 1_000]);
  const {
    value,
    yardstick: held,
    ratio,
  } = summarize(outcome({ bound: "at least", value: 1 }, pairs, yardstick));
  expect({ value, held: held?.value, ratio }).toEqual({ value: 300, held: 100, ratio: 1 });
});

test.each([
  [{ bound: "at least", value: 1.6, aim: 2 }, [160, 100], true, false],
  [{ bound: "at least", value: 1.6, aim: 2 }, [200, 100], true, true],
  [{ bound: "at least", value: 1.6, aim: 2 }, [159, 100], false, false],
  [{ bound: "at least", value: 1.6 }, [160, 100], true, undefined],
] as const)("%o with %o", (target, pair, isMet, isAimMet) => {
  const summary = summarize(outcome(target, pairsOf([...pair]), yardstick));
  expect([summary.isMet, summary.isAimMet]).toEqual([isMet, isAimMet]);
});

test.each([
  [3, true],
  [3.01, false],
])("without a yardstick the value itself is judged: %f", (value, isMet) => {
  const summary = summarize(outcome({ bound: "at most", value: 3 }, pairsOf([value])));
  expect(summary).toMatchObject({ value, isMet });
  expect(summary.ratio).toBeUndefined();
});

test("a yardstick that is missing leaves the figure unjudged", () => {
  const summary = summarize(outcome({ bound: "at least", value: 1 }, pairsOf([5]), yardstick));
  expect(summary).toEqual({ value: 5, details: {} });
});

test("details are medians too", () => {
  const pairs = [1, 9, 2].map((p50Ms): Pair => ({ sample: { value: 1, details: { p50Ms } } }));
  expect(summarize(outcome({ bound: "at most", value: 3 }, pairs)).details).toEqual({ p50Ms: 2 });
});

test("what must never happen misses the target whatever the value", () => {
  const pairs: Pair[] = [{ sample: { value: 1 } }, { sample: { value: 1, violation: "it did" } }];
  const summary = summarize(outcome({ bound: "at most", value: 3, aim: 2 }, pairs));
  expect([summary.isMet, summary.isAimMet]).toEqual([false, false]);
});

test.each([[[]], [pairsOf([Number.NaN])]])("what was not measured is not judged", (pairs) => {
  const summary = summarize(outcome({ bound: "at most", value: 3 }, pairs));
  expect(summary.value).toBeNaN();
  expect(summary.isMet).toBeUndefined();
});

test("a yardstick that only sets the pace leaves the value itself to be judged", () => {
  const pairs = pairsOf([9, 100]);
  const figure: Figure = {
    name: "figure",
    title: "figure",
    unit: "ms",
    pace: { share: 0.75, of: yardstick },
    target: { bound: "at most", value: 10 },
    measure,
  };
  const summary = summarize({ figure, pairs });
  expect(summary).toMatchObject({ value: 9, isMet: true, yardstick: { value: 100 } });
  expect(summary.ratio).toBeUndefined();
});
