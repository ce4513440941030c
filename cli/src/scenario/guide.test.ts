import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { actions, formOf, isAction } from "./actions.ts";
import { readScenario } from "./read.ts";
import { shippedNames } from "./shipped.ts";

const guide = readFileSync(new URL("../../../docs/guides/scenarios.md", import.meta.url), "utf8");

const [about = "", shipped = ""] = guide.split("## Those that come with Florin");

/** The names in the first cells of a text's tables, each with the cell after it. */
const rowsOf = (text: string): (readonly [string, string])[] =>
  [...text.matchAll(/^\| ((?:`[\w-]+`(?:, )?)+) \| ([^|]+)\|/gm)].flatMap(
    ([, names = "", next = ""]) =>
      [...names.matchAll(/`([\w-]+)`/g)].map(([, name = ""]) => [name, next] as const),
  );

test("the guide lists every action, and no other", () => {
  const beside = ["expect", "refused", "title"];
  const listed = rowsOf(about).map(([name]) => name);
  expect(listed.filter((name) => !beside.includes(name)).sort()).toEqual(
    Object.keys(actions).sort(),
  );
});

test("the guide lists every scenario that comes with Florin", () => {
  const listed = rowsOf(shipped).map(([name]) => name);
  expect(listed.sort()).toEqual(shippedNames());
});

test("the guide lists the fields of each action, if not by the name of their group", () => {
  const group = Object.keys(formOf("change").fields).filter((field) => field !== "card");
  const missing = rowsOf(about).flatMap(([name, fields]) =>
    isAction(name)
      ? Object.keys(formOf(name).fields)
          .filter((field) => !fields.includes(`\`${field}\``))
          .filter((field) => !(fields.includes("the controls") && group.includes(field)))
          .map((field) => `${name}.${field}`)
      : [],
  );
  expect(missing).toEqual([]);
});

test("the guide's example can be read", () => {
  const [, example = ""] = /```yaml\n(.*?)```/s.exec(guide) ?? [];
  expect(readScenario(example, "guide.yaml").steps).toHaveLength(5);
});
