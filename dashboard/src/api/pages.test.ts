import { expect, test } from "vitest";
import type { Page } from "./client.ts";
import { type Place, placeAfter, placeOf, putOnTop, topOf } from "./pages.ts";

interface Row extends Record<string, unknown> {
  id: number;
  seen: string;
}

const page = (ids: number[], nextCursor: string | null = "more"): Page<Row> => ({
  data: ids.map((id) => ({ id, seen: "before" })),
  pagination: { limit: 3, nextCursor },
});

const TOP = topOf(["/numbers", {}, "id"]);
const second: Place = { ...TOP, cursor: "more", firstRow: 3, before: TOP };
const third: Place = { ...TOP, cursor: "still more", firstRow: 6, before: second };

const idsOf = (pages: { data: { id: number }[] }[]) =>
  pages.map(({ data }) => data.map(({ id }) => id));

test("new rows come on top, and no row is lost between the pages", () => {
  const old = { pages: [page([9, 8, 7]), page([6, 5, 4])], pageParams: [TOP, second] };
  expect(idsOf(putOnTop(old, page([11, 10, 9])).pages)).toEqual([
    [11, 10, 9, 8, 7],
    [6, 5, 4],
  ]);
});

test("a row that changed is shown as it is now", () => {
  const old = { pages: [page([9, 8]), page([7])], pageParams: [TOP, second] };
  const head = {
    ...page([9, 8]),
    data: [
      { id: 9, seen: "after" },
      { id: 8, seen: "before" },
    ],
  };
  expect(putOnTop(old, head).pages[0]?.data[0]).toEqual({ id: 9, seen: "after" });
});

test("when more is new than a page holds, the list begins anew instead of hiding a gap", () => {
  const old = { pages: [page([9, 8, 7]), page([6, 5, 4])], pageParams: [TOP, second] };
  expect(putOnTop(old, page([20, 19, 18]))).toEqual({
    pages: [page([20, 19, 18])],
    pageParams: [TOP],
  });
});

test("nothing is put on rows from further down", () => {
  const old = { pages: [page([6, 5, 4]), page([3, 2, 1])], pageParams: [second, third] };
  expect(putOnTop(old, page([11, 10, 9]))).toBe(old);
});

test("a page begins where the one before it ends", () => {
  expect(placeAfter(page([9, 8, 7]), TOP)).toEqual(second);
  expect(placeAfter(page([9, 8, 7], null), TOP)).toBeUndefined();
});

test.each([
  [5, second],
  [3, second],
  [2, TOP],
  [0, TOP],
])("the page with row %i is found among those before", (row, place) => {
  expect(placeOf(row, third)).toBe(place);
});

test("there is nothing before the top", () => {
  expect(placeOf(0, TOP)).toBeUndefined();
});
