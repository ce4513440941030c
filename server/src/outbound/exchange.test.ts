import { afterEach, expect, test, vi } from "vitest";
import { Exchange } from "./exchange.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A timer may ring up to a millisecond before its time. */
test.each([400, 2_000])(
  "no time-out falls before its deadline, read on until %i",
  async (lateMs) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let nowMs = 0;
    vi.spyOn(performance, "now").mockImplementation(() => nowMs);
    const exchange = new Exchange({
      timeoutMs: 400,
      lateMs: () => lateMs,
      maxResponseBytes: 1,
      onEnd: () => undefined,
    });
    nowMs = 399.4;
    vi.advanceTimersByTime(400);
    nowMs = 400.3;
    vi.advanceTimersByTime(1);
    const outcome = await exchange.outcome;
    expect(outcome).toMatchObject({ isAnswer: false, reason: "Timeout", durationMs: 400.3 });
    if (outcome.isAnswer || outcome.late === undefined) return;
    nowMs = 1_999.4;
    vi.advanceTimersByTime(1_600);
    nowMs = 2_000;
    vi.advanceTimersByTime(1);
    expect(await outcome.late).toMatchObject({ reason: "Timeout", durationMs: 2_000 });
  },
);
