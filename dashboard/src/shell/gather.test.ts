import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { gather } from "./gather.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a burst is handed on once, and what comes later once more", () => {
  const handOn = vi.fn();
  const cards = gather<string>(400, handOn);
  cards.add(["a", "b"]);
  vi.advanceTimersByTime(399);
  cards.add(["b", "c"]);
  expect(handOn).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(handOn.mock.calls).toEqual([[["a", "b", "c"]]]);
  cards.add(["a"]);
  vi.advanceTimersByTime(400);
  expect(handOn).toHaveBeenLastCalledWith(["a"]);
});

test("nothing is handed on once it is stopped", () => {
  const handOn = vi.fn();
  const cards = gather<string>(400, handOn);
  cards.add(["a"]);
  cards.stop();
  vi.advanceTimersByTime(1_000);
  expect(handOn).not.toHaveBeenCalled();
});
