import { expect, test } from "vitest";
import { ok, successText } from "./envelope.ts";

const start = {
  responseCode: "000",
  responseMessage: "Success",
  finality: "TerminalSuccess",
  requestId: "req_1",
};

test.each([
  [
    "an object",
    ok({ name: 'Ada "the first" Ọbí', balance: 25.5 }),
    { data: { name: 'Ada "the first" Ọbí', balance: 25.5 } },
  ],
  ["null", ok(null), { data: null }],
  [
    "a page",
    ok([1], { pagination: { limit: 1, nextCursor: null } }),
    { data: [1], pagination: { limit: 1, nextCursor: null } },
  ],
  ["something with an id that is kept for later", ok([], { resourceId: "wal_1" }), { data: [] }],
])("the envelope of %s", (_what, answer, rest) => {
  expect(successText(answer, "req_1")).toBe(JSON.stringify({ ...start, ...rest }));
});
