import { expect, test } from "vitest";
import { failedBy, isAcknowledged } from "./outcome.ts";

const system = (code: string): Error => Object.assign(new Error("any"), { code });

test.each([
  ["ours, where this process has no descriptor left", system("EMFILE"), "NoDescriptor"],
  ["ours, where this machine has none left", system("ENFILE"), "NoDescriptor"],
  ["ours, for each of several addresses", new AggregateError([system("EMFILE")]), "NoDescriptor"],
  ["the other side's, where it refuses", system("ECONNREFUSED"), "ConnectionFailed"],
])("a failed connection is %s", (_whose, error, reason) => {
  expect(failedBy(error, 1)).toMatchObject({ isAnswer: false, reason });
});

test.each([
  [200, true],
  [204, true],
  [299, true],
  [199, false],
  [300, false],
  [404, false],
  [500, false],
])("%i acknowledges: %s", (status, expected) => {
  const answer = {
    isAnswer: true as const,
    status,
    body: Buffer.alloc(0),
    truncated: false,
    durationMs: 7,
  };
  expect(isAcknowledged(answer)).toBe(expected);
});
