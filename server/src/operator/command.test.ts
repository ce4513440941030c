import { expect, test } from "vitest";
import type { Config } from "../foundation/config/table.ts";
import { CommandError, json, readArguments } from "./command.ts";

const OPTIONS = { scopes: { type: "string" }, ...json } as const;

const read = (...args: string[]) =>
  readArguments({ args, config: {} as Config, print: () => undefined }, ["name"], OPTIONS);

test("options may stand anywhere, with their value behind them or in them", () => {
  for (const args of [
    ["Acme", "--scopes", "A", "--json"],
    ["--json", "--scopes=A", "Acme"],
  ]) {
    const { positionals, values } = read(...args);
    expect({ positionals, values: { ...values } }).toEqual({
      positionals: ["Acme"],
      values: { scopes: "A", json: true },
    });
  }
});

test.each([
  [
    ["Acme", "--profile", "x"],
    "There is no option --profile here: this command takes --scopes, --json.",
  ],
  [["Acme", "-x"], "There is no option -x here: this command takes --scopes, --json."],
  [
    ["Acme", "--toString"],
    "There is no option --toString here: this command takes --scopes, --json.",
  ],
  [["Acme", "--scopes"], "--scopes needs a value."],
  [["Acme", "--scopes", "--json"], "--scopes needs a value."],
  [["Acme", "--json=yes"], "--json takes no value."],
  [["Acme", "--scopes", "CardAPIs", "--scopes=CardSecrets"], "--scopes is given twice."],
  [[], "This command takes <name>."],
  [["Acme", "Ltd"], "This command takes <name>."],
])("%j is refused with one line of ours", (args, message) => {
  expect(() => read(...args)).toThrow(new CommandError(message));
});

test("a command without options says so", () => {
  const invocation = { args: ["--json"], config: {} as Config, print: () => undefined };
  expect(() => readArguments(invocation, [])).toThrow(
    "There is no option --json here: this command takes no options.",
  );
});
