import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Deadline } from "./deadline.ts";

let nowMs = 0;

beforeEach(() => {
  nowMs = 1_000;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The timers' clock moves by so much, and the one that counts stands at a moment of its own. */
function tick(timersMs: number, atMs: number): void {
  nowMs = atMs;
  vi.advanceTimersByTime(timersMs);
}

test("a timer that rings too early is set again for what is left", () => {
  const onDue = vi.fn();
  new Deadline(1_400, onDue);
  tick(400, 1_399.4);
  expect(onDue).not.toHaveBeenCalled();
  tick(1, 1_399.9);
  expect(onDue).not.toHaveBeenCalled();
  tick(1, 1_400);
  expect(onDue).toHaveBeenCalledOnce();
  tick(1_000, 2_400);
  expect(onDue).toHaveBeenCalledOnce();
});

test("a moment that has gone by comes at once, but not within the call", () => {
  const onDue = vi.fn();
  new Deadline(900, onDue);
  expect(onDue).not.toHaveBeenCalled();
  tick(1, 1_000);
  expect(onDue).toHaveBeenCalledOnce();
});

test.each([0, 1])("what is cancelled after %i early rings does not come", (rings) => {
  const onDue = vi.fn();
  const deadline = new Deadline(1_400, onDue);
  if (rings > 0) tick(400, 1_399.4);
  deadline.cancel();
  tick(1_000, 3_000);
  expect(onDue).not.toHaveBeenCalled();
});
