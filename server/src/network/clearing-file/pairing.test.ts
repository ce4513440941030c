import { expect, test } from "vitest";
import { unconfirmed } from "./pairing.ts";

const left = (messages: bigint[], lines: (bigint | null)[], ownMinor?: bigint) =>
  unconfirmed(
    messages.map((amountMinor) => ({ amountMinor })),
    lines,
    ownMinor,
  ).map(({ amountMinor }) => amountMinor);

test.each<[string, bigint[], (bigint | null)[], bigint[]]>([
  ["one of another amount came before", [8n, 12n], [9n], [8n]],
  ["one of its amount came before", [8n, 12n], [8n], [12n]],
  ["all were told, in whatever order", [8n], [9n, 8n], []],
])("a message of 8 waits for its line where %s", (_what, messages, lines, expected) => {
  expect(left(messages, lines, 8n)).toEqual(expected);
});

test.each<[string, bigint[], (bigint | null)[], bigint[]]>([
  ["nothing was told", [], [], []],
  ["no line has come", [8n, 12n], [], [8n, 12n]],
  ["a line has its amount", [8n, 12n], [12n], [8n]],
  ["amounts are the same twice", [8n, 8n], [8n], [8n]],
  ["a line has another amount", [8n, 12n], [9n], [12n]],
  ["another amount comes before the right one", [8n, 12n], [9n, 8n], []],
  ["there are more lines than messages", [8n], [8n, 8n, 1n], []],
  ["amounts of lines were not noted", [12n, 8n], [null], [8n]],
])("what is left where %s", (_what, messages, lines, expected) => {
  expect(left(messages, lines)).toEqual(expected);
});
