import { styleText } from "node:util";
import { expect, test } from "vitest";
import { facts, table } from "./table.ts";
import { type Style, wantsColour } from "./terminal.ts";

const plain = { style: (_style: Style, text: string) => text };
const coloured = { style: (style: Style, text: string) => styleText(style, text) };

const columns = [
  { head: "card", cell: ([name]: [string, string]) => name },
  { head: "balance", align: "right" as const, cell: ([, money]: [string, string]) => money },
];

test("text is to the left and money to the right", () => {
  const rows: [string, string][] = [
    ["a", "5.00 USD"],
    ["long name", "1,234.50 USD"],
  ];
  expect(table(plain, columns, rows).split("\n")).toEqual([
    "card            balance",
    "a              5.00 USD",
    "long name  1,234.50 USD",
  ]);
});

test("colours do not move the columns", () => {
  const red = styleText("red", "x");
  const lines = table(coloured, columns, [
    [red, "1"],
    ["yy", "22"],
  ]).split("\n");
  expect(lines[1]).toBe(`${red}           1`);
  expect(lines[2]).toBe("yy         22");
});

test("facts leave out what is not known", () => {
  expect(
    facts(plain, [
      ["a", "1"],
      ["longer", "2"],
      ["none", undefined],
    ]),
  ).toBe("a       1\nlonger  2");
});

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: "1" }, true, false],
  [{ NO_COLOR: "" }, true, true],
  [{ TERM: "dumb" }, true, false],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, true, false],
])("%j on a terminal (%s): colour %s", (env, isTty, expected) => {
  expect(wantsColour(env, isTty)).toBe(expected);
});
