import { expect, test } from "vitest";
import { readDuration } from "../terminal/duration.ts";
import { readScenario } from "./read.ts";
import { loadScenario, shippedNames } from "./shipped.ts";

const read = (steps: string) => readScenario(`title: T\nsteps:\n${steps}`, "dir/story.yaml");

test("a scenario is read with its names, expectations and shorthands", () => {
  const scenario = read(`
  - issue: { as: ada, initialBalance: 5 }
  - title: too much
    authorize: 6
    expect: { approved: false }
  - freeze: ada
  - unfreeze:
  - settle: {}
    refused: "133"
  - advance-clock: 8 days`);
  expect(scenario).toEqual({
    name: "story",
    title: "T",
    about: "",
    steps: [
      { action: "issue", fields: { as: "ada", initialBalance: 5 } },
      {
        action: "authorize",
        fields: { amount: 6 },
        title: "too much",
        expect: { approved: false },
      },
      { action: "freeze", fields: { card: "ada" } },
      { action: "unfreeze", fields: {} },
      { action: "settle", fields: {}, refused: "133" },
      { action: "advance-clock", fields: { by: "8 days" } },
    ],
  });
});

test.each([
  ["  - fly: {}", "dir/story.yaml:3: step 1: there is no action fly"],
  [
    "  - issue: {}\n  - freeze: bob",
    "dir/story.yaml:4: step 2 (freeze): card: no step before this one makes a card named bob",
  ],
  ["  - freeze:", "step 1 (freeze): no step before this one makes a card"],
  ["  - issue: {}\n  - settle:", "step 2 (settle): no step before this one makes a transaction"],
  ["  - issue: { balnce: 5 }", "step 1 (issue): there is no field balnce; there are as, type"],
  [
    "  - issue: { initialBalance: five }",
    "step 1 (issue): initialBalance is a number from 0 to 10,000,000",
  ],
  ["  - issue: { type: Gold }", "step 1 (issue): type is one of Retail, Corporate, Lite"],
  ["  - issue: { as: 1st }", "step 1 (issue): as is a name"],
  ["  - issue: { swipeCount: 1.5 }", "swipeCount is a whole number"],
  ["  - issue: { whiteListedMccs: [5411] }", "whiteListedMccs is a list of texts"],
  ["  - issue: {}\n  - authorize: {}", "step 2 (authorize): amount is missing"],
  ["  - issue: {}\n    refused: 116", "step 1 (issue): refused is a responseCode in quotes"],
  ['  - issue: {}\n    refused: "116"\n    expect: {}', "expect and refused exclude each other"],
  ["  - issue: {}\n    expect: 1", "step 1 (issue): expect is a map"],
  ["  - issue: {}\n    freeze:", "step 1: has two actions, issue and freeze"],
  ["  - expect: {}", "step 1: has no action"],
  ["  - just words", "step 1: is a map of one action"],
  ["  - verify: 5", "step 1 (verify): is a map of fields"],
  ["  - advance-clock: 2 weeks", "step 1 (advance-clock): by is a time such as"],
  ["  - issue: {", "is not YAML"],
])("a mistake is told with its file, line, step and field: %j", (steps, expected) => {
  expect(() => read(steps)).toThrow(expected);
});

test.each([
  ["steps: []", "title is missing"],
  ["title: T", "steps is a list"],
  ["title: T\nsteps: []", "steps is a list"],
  ["title: T\nsteps:\n  - issue:\nextra: 1", "there is no field extra"],
  ["- 1", "must be a map"],
])("a file that is no scenario is refused: %j", (text, expected) => {
  expect(() => readScenario(text, "a.yaml")).toThrow(expected);
});

test.each(shippedNames())("%s reads, and says what it is about", (name) => {
  const { title, about } = loadScenario(name);
  expect({ title: title.length > 0, about: about.length > 0 }).toEqual({
    title: true,
    about: true,
  });
});

test.each([
  [90, 90],
  ["90", 90],
  ["1 second", 1],
  ["2 hours", 7200],
  ["8 days", 691_200],
  ["8d", 691_200],
  ["2 h", 7200],
  ["30m", 1800],
  ["90s", 90],
  ["400 days", 34_560_000],
  ["401 days", undefined],
  ["0", undefined],
  ["-1 day", undefined],
  ["1 month", undefined],
  ["2ms", undefined],
  ["2hs", undefined],
  [1.5, undefined],
  [null, undefined],
])("%j is %j seconds", (given, seconds) => {
  expect(readDuration(given)).toBe(seconds);
});
