import { expect, test } from "vitest";
import { putOnTop } from "./queries.ts";

const page = (ids: number[], nextCursor: string | null = "more") => ({
  data: ids.map((id) => ({ id, seen: "before" })),
  pagination: { limit: 3, nextCursor },
});

const idsOf = (pages: { data: { id: number }[] }[]) =>
  pages.map(({ data }) => data.map(({ id }) => id));

test("new rows come on top, and no row is lost between the pages", () => {
  const old = { pages: [page([9, 8, 7]), page([6, 5, 4])], pageParams: [undefined, "more"] };
  expect(idsOf(putOnTop(old, page([11, 10, 9]), "id").pages)).toEqual([
    [11, 10, 9, 8, 7],
    [6, 5, 4],
  ]);
});

test("a row that changed is shown as it is now", () => {
  const old = { pages: [page([9, 8]), page([7])], pageParams: [undefined, "more"] };
  const head = {
    ...page([9, 8]),
    data: [
      { id: 9, seen: "after" },
      { id: 8, seen: "before" },
    ],
  };
  expect(putOnTop(old, head, "id").pages[0]?.data[0]).toEqual({ id: 9, seen: "after" });
});

test("when more is new than a page holds, the list begins anew instead of hiding a gap", () => {
  const old = { pages: [page([9, 8, 7]), page([6, 5, 4])], pageParams: [undefined, "more"] };
  expect(putOnTop(old, page([20, 19, 18]), "id")).toEqual({
    pages: [page([20, 19, 18])],
    pageParams: [undefined],
  });
});
