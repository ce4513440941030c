import { expect, test } from "vitest";
import type { Figure } from "./figure.ts";
import { OptionsError, readOptions, usage } from "./options.ts";

const figures = ["start-up", "deposit"].map(
  (name): Figure => ({
    name,
    title: `the figure ${name}`,
    unit: "s",
    target: { bound: "at most", value: 1 },
    measure: async () => ({ value: 1 }),
  }),
);

const read = (line: string) => readOptions(line.split(" ").filter(Boolean), figures);

test.each([
  ["", ["start-up", "deposit"], undefined, 5, 3, 0],
  ["--only deposit", ["deposit"], undefined, 5, 3, 0],
  ["--only deposit --only start-up", ["start-up", "deposit"], undefined, 5, 3, 0],
  ["--json out.json --seconds=2 --pairs 1", ["start-up", "deposit"], "out.json", 2, 1, 0],
  ["--commit-wait-ms 100", ["start-up", "deposit"], undefined, 5, 3, 100],
])("'%s'", (line, names, jsonFile, seconds, pairs, commitWaitMs) => {
  const options = read(line);
  expect(options.figures.map(({ name }) => name)).toEqual(names);
  expect(options).toMatchObject({ jsonFile, seconds, pairs, commitWaitMs, help: false });
});

test.each([
  ["--fast", "Unknown option '--fast'."],
  ["deposit", "Unexpected argument 'deposit'."],
  ["--only withdraw", "There is no figure 'withdraw'; there are start-up, deposit."],
  ["--json", "Option '--json <value>' argument missing."],
  ["--seconds 0", "--seconds must be a whole number from 1 to 9999, not '0'."],
  ["--commit-wait-ms 101", "--commit-wait-ms must be a whole number from 1 to 100, not '101'."],
  ["--pairs 1.5", "--pairs must be a whole number from 1 to 9999, not '1.5'."],
])("'%s' is refused in one line", (line, message) => {
  expect(() => read(line)).toThrow(new OptionsError(message));
});

test("the usage names every figure", () => {
  for (const { name, title } of figures)
    expect(usage(figures)).toMatch(new RegExp(`${name} +${title}`));
});
