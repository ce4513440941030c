import { expect, test } from "vitest";
import { type FailureReason, failed } from "../../outbound/outcome.ts";
import { fateOf } from "./fate.ts";

test.each<[FailureReason, ReturnType<typeof fateOf>]>([
  ["Stopped", "Release"],
  ["Overloaded", "Release"],
  ["NoDescriptor", { heldBackMs: 5_000 }],
  ["Timeout", failed("Timeout", 1)],
  ["ConnectionFailed", failed("ConnectionFailed", 1)],
  ["RefusedAddress", failed("RefusedAddress", 1)],
])("%s -> %o", (reason, fate) => {
  expect(fateOf(failed(reason, 1))).toEqual(fate);
});

test("an answer counts, whatever it says, and what is held back stays so", () => {
  const answer = { isAnswer: true, status: 500, body: Buffer.alloc(0), truncated: false } as const;
  const outcome = { ...answer, durationMs: 1 };
  expect(fateOf(outcome)).toBe(outcome);
  const heldBack = { heldBackMs: 7 };
  expect(fateOf(heldBack)).toBe(heldBack);
});
