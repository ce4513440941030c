import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import type { Dispatcher } from "undici";
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

test("an answer that came while we were busy across the deadline is no time-out", async () => {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const here = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const controller = {} as Dispatcher.DispatchController;
  try {
    const [[there]] = await Promise.all([once(server, "connection"), once(here, "connect")]);
    const exchange = new Exchange({
      timeoutMs: 30,
      lateMs: () => 2_000,
      maxResponseBytes: 1,
      onEnd: () => undefined,
    });
    here.once("data", () => {
      exchange.onResponseStart(controller, 204, {});
      exchange.onResponseEnd();
    });
    // Timers are what comes next, and then sockets.
    await turn();
    there.write("answer");
    const busyUntilMs = performance.now() + 60;
    while (performance.now() < busyUntilMs);
    expect(await exchange.outcome).toMatchObject({ isAnswer: true, status: 204 });
  } finally {
    here.destroy();
    server.close();
  }
});
