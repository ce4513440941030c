import type { InfiniteData } from "@tanstack/react-query";
import type { Page } from "./client.ts";

export type Filters = Record<string, string | number | boolean | undefined>;

/** What a list is known by; `id` names the column that tells its rows apart. */
export type ListKey = [path: string, params: Filters, id: string];

/** Where a page of a list begins. Each knows the one before it, so that what was let go is found again. */
export interface Place {
  list: ListKey;
  cursor: string | undefined;
  /** How many rows lie before it. */
  firstRow: number;
  before: Place | undefined;
}

export type Pages<Row> = InfiniteData<Page<Row>, Place>;

export const topOf = (list: ListKey): Place => ({
  list,
  cursor: undefined,
  firstRow: 0,
  before: undefined,
});

export function placeAfter(page: Page<unknown>, place: Place): Place | undefined {
  const { nextCursor } = page.pagination;
  if (nextCursor === null) return undefined;
  const firstRow = place.firstRow + page.data.length;
  return { list: place.list, cursor: nextCursor, firstRow, before: place };
}

/** The page before this place that has this row, or the nearest to it. */
export function placeOf(row: number, place: Place): Place | undefined {
  let found = place.before;
  while (found !== undefined && found.firstRow > row) found = found.before;
  return found;
}

/** New rows come on top; a list that has let its top go stays as it is. */
export function putOnTop<Row extends Record<string, unknown>>(
  old: Pages<Row>,
  head: Page<Row>,
): Pages<Row> {
  const [first, ...rest] = old.pages;
  const [top] = old.pageParams;
  if (first === undefined || top?.firstRow !== 0) return old;
  const [, , id] = top.list;
  const fresh = new Set(head.data.map((row) => row[id]));
  const isJoined = first.data.some((row) => fresh.has(row[id]));
  if (!isJoined) return { pages: [head], pageParams: [top] };
  const kept = first.data.filter((row) => !fresh.has(row[id]));
  return {
    pageParams: old.pageParams,
    pages: [{ ...first, data: [...head.data, ...kept] }, ...rest],
  };
}
