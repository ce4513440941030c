import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { codes } from "../foundation/codes.ts";
import { renderResponseCodes } from "./response-codes.ts";

const committed = readFileSync(new URL("../../../docs/response-codes.md", import.meta.url), "utf8");

test("the committed document and the code table hold the same rows", () => {
  const documented = committed
    .split("\n")
    .filter((line) => /^\| *\d/.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, code, message, finality, httpStatus, name]) =>
      [name, code, message, finality, httpStatus].join(" "),
    );
  const inTable = Object.entries(codes).map(
    ([name, row]) => `\`${name}\` ${row.code} ${row.message} ${row.finality} ${row.httpStatus}`,
  );
  expect(documented.sort()).toEqual(inTable.sort());
});

test("rows are sorted by code", () => {
  const order = [...committed.matchAll(/^\| (\d{3}) \|/gm)].map(([, code]) => code);
  expect(order).toEqual([...order].sort());
});

test("the committed document is what the generator writes now", () => {
  expect(renderResponseCodes()).toBe(committed);
});
