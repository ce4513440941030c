import { z } from "zod";
import type { Ok } from "./envelope.ts";
import { filterTime } from "./schema.ts";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

const limit = z
  .string()
  .refine(isLimit, `must be a whole number from 1 to ${MAX_LIMIT}`)
  .transform(Number)
  .default(DEFAULT_LIMIT)
  .meta({
    description: `How many to give, ${DEFAULT_LIMIT} if not said`,
    type: "integer",
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
  });

function isLimit(text: string): boolean {
  return /^[1-9]\d{0,2}$/.test(text) && Number(text) <= MAX_LIMIT;
}

/** What is wrong with a cursor that was not given by the same list. */
export const NO_CURSOR = "must be the nextCursor of an earlier page";

/** The query of every list; `isKey` says what its cursors hold. To be spread into a strict object. */
export function pageQuery(isKey: (text: string) => boolean) {
  const cursor = z
    .string()
    .transform((text, context) => {
      const key = readCursor(text);
      if (key !== undefined && isKey(key)) return key;
      context.addIssue({ code: "custom", message: NO_CURSOR });
      return z.NEVER;
    })
    .optional()
    .meta({ description: "The nextCursor of the page before; without it, the first page" });
  return { limit, cursor };
}

/** Filters by time, read by `readRange`. To be spread into a strict object. */
export const rangeQuery = {
  from: filterTime
    .optional()
    .meta({ description: "Not before this date or time, in UTC unless it has an offset" }),
  to: filterTime.optional().meta({
    description: "Before this time; a date means the whole of that day, in UTC",
  }),
};

/** Which page is asked for; `cursor` is the key of the last row of the page before. */
export interface Page {
  limit: number;
  cursor?: string | undefined;
}

/** One row more than the page holds, asked for to see whether there is another page. */
export const rowsFor = ({ limit }: Page): number => limit + 1;

/** Makes a page of up to `rowsFor(page)` rows. */
export function pageOf<Row, Data>(
  rows: readonly Row[],
  { limit }: Page,
  keyOf: (row: Row) => string,
  dataOf: (row: Row) => Data,
): Ok<Data[]> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    data: shown.map(dataOf),
    pagination: { limit, nextCursor: hasMore ? writeCursor(keyOf(last)) : null },
  };
}

const MAX_CURSOR_LENGTH = 200;

export function writeCursor(key: string): string {
  return Buffer.from(key).toString("base64url");
}

/** Cursors are opaque to clients, so that only what we wrote is taken. */
function readCursor(text: string): string | undefined {
  if (text.length > MAX_CURSOR_LENGTH) return undefined;
  const key = Buffer.from(text, "base64url").toString();
  return writeCursor(key) === text ? key : undefined;
}
