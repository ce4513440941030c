import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { isId, newId } from "../foundation/ids.ts";
import { type Page, pageOf, pageQuery, rowsFor } from "./pagination.ts";

const Query = z.strictObject(pageQuery((text) => isId("cus", text)));
const encode = (text: string) => Buffer.from(text).toString("base64url");

test.each([
  [undefined, 20],
  ["1", 1],
  ["100", 100],
])("limit %s is %s", (given, limit) => {
  expect(Query.parse({ limit: given })).toEqual({ limit });
});

test.each(["", "0", "101", "-1", "1.5", "1e1", " 5", "0x10", "020", "ten", ["1", "2"]])(
  "limit %j is refused",
  (limit) => {
    expect(Query.safeParse({ limit }).success).toBe(false);
  },
);

const key = newId("cus", 1_700_000_000_000);

test("a cursor is the key of the last row, unreadable to the naked eye", () => {
  expect(Query.parse({ cursor: encode(key) })).toEqual({ limit: 20, cursor: key });
});

test.each([
  "",
  key,
  "%%%",
  encode("cus_"),
  encode(key.replace("cus", "kyc")),
  `${encode(key)}=`,
  `${encode(key)}A`,
  Buffer.from(key).toString("base64url").slice(0, -1),
  "A".repeat(100_000),
])("cursor %j is refused", (cursor) => {
  expect(Query.safeParse({ cursor }).success).toBe(false);
});

test("pages of any size give every row once, in order, and then end", () => {
  fc.assert(
    fc.property(fc.nat(60), fc.integer({ min: 1, max: 25 }), (count, limit) => {
      const keys = Array.from({ length: count }, (_, n) => newId("cus", n))
        .sort()
        .reverse();
      const seen: string[] = [];
      let page: Page = { limit };
      for (;;) {
        const after = page.cursor;
        const rest = after === undefined ? keys : keys.filter((each) => each < after);
        const { data, pagination } = pageOf(
          rest.slice(0, rowsFor(page)),
          page,
          (row) => row,
          (row) => row,
        );
        seen.push(...data);
        expect(pagination?.limit).toBe(limit);
        if (pagination?.nextCursor == null) break;
        expect(data).toHaveLength(limit);
        expect(rest.length, "there is more").toBeGreaterThan(limit);
        page = Query.parse({ limit: String(limit), cursor: pagination.nextCursor });
      }
      expect(seen).toEqual(keys);
    }),
  );
});
