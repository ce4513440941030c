import { beforeEach, expect, test, vi } from "vitest";
import { Bench } from "./bench.ts";
import { Cleanup } from "./cleanup.ts";
import type { MeasuredFigure, SeenFigure, Yardstick } from "./figure.ts";
import { runFigures } from "./run.ts";

beforeEach(() => {
  // Progress is for people.
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});

const bench = new Bench({ seconds: 1 }, new Cleanup());

let measured: string[] = [];
beforeEach(() => {
  measured = [];
});

const stick: Yardstick = {
  name: "stick",
  title: "stick",
  unit: "/s",
  measure: async () => {
    measured.push("stick");
    return { value: 200, details: { databaseCpuUs: 10 } };
  },
};
const missingStick: Yardstick = { ...stick, missing: async () => "it is not installed" };

const rate: MeasuredFigure = {
  name: "rate",
  title: "rate",
  unit: "/s",
  yardstick: stick,
  target: { bound: "at least", value: 1 },
  measure: async () => {
    measured.push("rate");
    return { value: 100, details: { serviceCpuUs: 40 } };
  },
};

const cpu: SeenFigure = {
  name: "cpu",
  title: "cpu",
  unit: "µs",
  target: { bound: "at most", value: 1 },
  seenIn: rate,
  read: ({ sample }) => ({ sample: { value: sample.details?.serviceCpuUs ?? 0 } }),
};

const paced = (of: Yardstick): MeasuredFigure => ({
  name: "paced",
  title: "paced",
  unit: "ms",
  pace: { share: 0.75, of },
  target: { bound: "at most", value: 1 },
  measure: async (_bench, perSecond) => {
    measured.push(`paced at ${perSecond}/s`);
    return { value: 5 };
  },
});

test("yardstick and figure take turns, and what is seen in a figure costs nothing", async () => {
  const outcomes = await runFigures(bench, { figures: [rate, cpu], pairs: 2 });
  expect(measured).toEqual(["stick", "rate", "stick", "rate"]);
  expect(
    outcomes.map(({ figure, pairs }) => [figure.name, pairs.map((p) => p.sample.value)]),
  ).toEqual([
    ["rate", [100, 100]],
    ["cpu", [40, 40]],
  ]);
});

test("what is seen in a figure can be asked for alone", async () => {
  const outcomes = await runFigures(bench, { figures: [cpu], pairs: 1 });
  expect(measured).toEqual(["stick", "rate"]);
  expect(outcomes.map(({ figure }) => figure.name)).toEqual(["cpu"]);
});

test("a figure is measured at its share of what was just measured", async () => {
  await runFigures(bench, { figures: [paced(stick)], pairs: 1 });
  expect(measured).toEqual(["stick", "paced at 150/s"]);
});

test("without its yardstick a rate is measured all the same, and what it would pace is not", async () => {
  const figures = [{ ...rate, yardstick: missingStick }, paced(missingStick)];
  const outcomes = await runFigures(bench, { figures, pairs: 1 });
  expect(measured).toEqual(["rate"]);
  expect(outcomes.map(({ pairs, yardstickMissing }) => [pairs.length, yardstickMissing])).toEqual([
    [1, "it is not installed"],
    [0, "it is not installed"],
  ]);
});
