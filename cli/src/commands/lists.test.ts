import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createProgram } from "../program.ts";

interface Parameter {
  name: string;
  in: string;
  schema: { enum?: string[] };
}

const { paths }: { paths: Record<string, { get: { parameters: Parameter[] } }> } = JSON.parse(
  readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8"),
);

/** What a filter is called where the command says it shorter. */
const SHORT: Readonly<Record<string, string>> = { cardId: "card", customerId: "customer" };

const lists = createProgram([]).commands.flatMap((group) =>
  group.commands
    .filter((command) => command.name() === "list" && command.options.length > 0)
    .map((command) => [group.name(), command] as const),
);

test("there are lists", () => {
  expect(lists.map(([name]) => name)).toEqual(["cards", "transactions", "events"]);
});

test.each(lists)("%s list has every filter of the API's, with all its values", (name, command) => {
  const parameters = (paths[`/api/v1/${name}`]?.get.parameters ?? []).filter(
    // The command turns the pages itself.
    (parameter) => parameter.in === "query" && parameter.name !== "cursor",
  );
  const options = new Map(command.options.map((option) => [option.attributeName(), option]));
  const filters = parameters.map((parameter) => SHORT[parameter.name] ?? parameter.name);
  expect([...options.keys()].sort()).toEqual(filters.sort());
  for (const parameter of parameters) {
    const option = options.get(SHORT[parameter.name] ?? parameter.name);
    for (const value of parameter.schema.enum ?? []) {
      expect(() => option?.parseArg?.(value, undefined)).not.toThrow();
    }
  }
});
