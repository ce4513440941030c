import { expect, test } from "vitest";
import { cellsOf } from "./csv.ts";

test.each<[string, string[] | undefined]>([
  ["", [""]],
  ["a", ["a"]],
  ["a,b", ["a", "b"]],
  [",", ["", ""]],
  ["a,,b,", ["a", "", "b", ""]],
  ['"a,b",c', ["a,b", "c"]],
  ['"a ""b"" c"', ['a "b" c']],
  ['a,""', ["a", ""]],
  ['a"b', ['a"b']],
  ['"a', undefined],
  ['"a"b', undefined],
])("%s", (line, cells) => {
  expect(cellsOf(line)).toEqual(cells);
});
