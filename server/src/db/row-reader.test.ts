import type pg from "pg";
import { expect, test } from "vitest";
import { rowReader } from "./row-reader.ts";

const field = (name: string, dataTypeID: number): pg.FieldDef => ({
  name,
  dataTypeID,
  tableID: 0,
  columnID: 0,
  dataTypeSize: -1,
  dataTypeModifier: -1,
  format: "text",
});
const TEXT = 25;
const BIGINT = 20;
const BOOLEAN = 16;

test("a row has its columns in order, each as its type says", () => {
  const read = rowReader([field("card", TEXT), field("minor", BIGINT), field("isOpen", BOOLEAN)]);
  const row = read(["card_1", "12", "t"]);
  expect(row).toEqual({ card: "card_1", minor: 12n, isOpen: true });
  expect(Object.keys(row)).toEqual(["card", "minor", "isOpen"]);
});

test("what is null stays null, and an empty text a text", () => {
  const read = rowReader([field("minor", BIGINT), field("name", TEXT)]);
  expect(read([null, ""])).toEqual({ minor: null, name: "" });
});

test.each(["?column?", `a "quoted" name`, "a\\b", "line\nbreak", "`1`"])(
  "a column may be called %j",
  (name) => {
    expect(rowReader([field(name, TEXT)])(["x"])).toEqual({ [name]: "x" });
  },
);

test("a statement without columns has empty rows", () => {
  expect(rowReader([])([])).toEqual({});
});
