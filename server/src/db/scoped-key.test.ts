import { expect, test } from "vitest";
import { scopedColumns, scopedKey } from "./scoped-key.ts";

test("an id keeps its blanks", () => {
  const keys = [scopedKey("org_1", "card_1"), scopedKey("org_2", "Refund 4123 45  6")];
  expect(scopedColumns(keys)).toEqual(['{"org_1","org_2"}', '{"card_1","Refund 4123 45  6"}']);
});
