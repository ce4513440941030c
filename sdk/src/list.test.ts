import { describe, expect, test } from "vitest";
import { List, type Page } from "./list.ts";

/** A list of these pages, and the cursors by which they were asked for. */
function listOf(pages: Record<string, Page<number>>, start?: string) {
  const asked: (string | undefined)[] = [];
  const list = new List<number>(async (cursor) => {
    asked.push(cursor);
    const page = pages[cursor ?? "start"];
    if (page === undefined) throw new Error(`There is no page ${cursor}.`);
    return page;
  }, start);
  return { list, asked };
}

const pages = {
  start: { data: [1, 2], nextCursor: "b" },
  b: { data: [], nextCursor: "c" }, // A page of a search may be empty although there is more.
  c: { data: [3], nextCursor: null },
};

describe("a list", () => {
  test("is read to its end", async () => {
    const { list, asked } = listOf(pages);
    expect(await list.toArray()).toEqual([1, 2, 3]);
    expect(asked).toEqual([undefined, "b", "c"]);
  });

  test("is read from a cursor on", async () => {
    const { list } = listOf(pages, "b");
    expect(await list.toArray()).toEqual([3]);
    expect(await list.page()).toEqual(pages.b);
  });

  test("is not read further than it is wanted", async () => {
    const { list, asked } = listOf(pages);
    expect(await list.toArray(2)).toEqual([1, 2]);
    expect(await list.toArray(0)).toEqual([]);
    expect(asked).toEqual([undefined]);
  });

  test("can be read again", async () => {
    const { list } = listOf(pages);
    expect(await list.toArray()).toEqual(await list.toArray());
  });
});

test("a feed ends when its cursor leads nowhere", async () => {
  const { list, asked } = listOf({
    start: { data: [1], nextCursor: "b" },
    b: { data: [2], nextCursor: "c" },
    c: { data: [], nextCursor: "c" },
  });
  expect(await list.toArray()).toEqual([1, 2]);
  expect(asked).toEqual([undefined, "b", "c"]);
});
