import { expect, test } from "vitest";
import { table } from "./table.ts";

test("text stands to the left, figures to the right", () => {
  const rows = [
    ["Ada", "7"],
    ["Grace", "1000"],
  ];
  expect(table(["name", "cards"], rows)).toBe("name   cards\nAda        7\nGrace   1000");
});

test("a table may be as long as a month of clearing", () => {
  const rows = Array.from({ length: 200_000 }, (_, line) => [String(line)]);
  expect(table(["line"], rows).split("\n")).toHaveLength(200_001);
});
