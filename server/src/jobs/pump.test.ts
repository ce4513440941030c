import { expect, test, vi } from "vitest";
import { createLog } from "../foundation/log.ts";
import { Pump, type PumpOptions } from "./pump.ts";

const log = createLog({ level: "silent" });

/** A pump whose rounds end when they are told to. */
function pumpWith(change: Partial<PumpOptions> = {}) {
  const rounds: { finish(hasMore?: boolean): void; fail(): void }[] = [];
  const pump = new Pump({
    name: "test",
    restMs: 60_000,
    gapMs: 0,
    log,
    step: () =>
      new Promise((resolve, reject) => {
        rounds.push({
          finish: (hasMore = false) => resolve(hasMore),
          fail: () => reject(new Error("no")),
        });
      }),
    ...change,
  });
  const begun = (count: number) =>
    vi.waitFor(() => expect(rounds).toHaveLength(count), { timeout: 15_000 });
  return { pump, rounds, begun };
}

test("it begins with a round and does another when woken, never two at once", async () => {
  const { pump, rounds, begun } = pumpWith();
  pump.start();
  await begun(1);
  pump.wake();
  pump.wake();
  expect(rounds).toHaveLength(1);
  rounds[0]?.finish();
  await begun(2);
  rounds[1]?.finish();
  pump.wake();
  await begun(3);
  rounds[2]?.finish();
  await pump.stop();
});

test("a round that leaves work behind is followed by another", async () => {
  const { pump, rounds, begun } = pumpWith();
  pump.start();
  await begun(1);
  rounds[0]?.finish(true);
  await begun(2);
  rounds[1]?.finish();
  await pump.stop();
});

test("on stand-by it does a round when woken, and none by itself", async () => {
  const { pump, rounds, begun } = pumpWith({ restMs: 0 });
  pump.standBy();
  const caughtUp = pump.caughtUp();
  await begun(1);
  rounds[0]?.finish();
  await caughtUp;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(rounds).toHaveLength(1);
  pump.wake();
  await begun(2);
  rounds[1]?.finish();
  await pump.stop();
});

test("now and then it does one by itself", async () => {
  const { pump, rounds, begun } = pumpWith({ restMs: 5 });
  pump.start();
  await begun(1);
  rounds[0]?.finish();
  await begun(2);
  rounds[1]?.finish();
  await pump.stop();
});

test("whoever waits for the next round gets one that began later", async () => {
  const { pump, rounds, begun } = pumpWith();
  pump.start();
  await begun(1);
  let isDone = false;
  const done = pump.caughtUp().then(() => {
    isDone = true;
  });
  rounds[0]?.finish();
  await begun(2);
  expect(isDone).toBe(false);
  rounds[1]?.finish();
  await done;
  await pump.stop();
});

test("whoever waits gets the round after which nothing is left", async () => {
  const { pump, rounds, begun } = pumpWith();
  pump.start();
  await begun(1);
  rounds[0]?.finish();
  let isDone = false;
  const done = pump.caughtUp().then(() => {
    isDone = true;
  });
  await begun(2);
  rounds[1]?.finish(true);
  await begun(3);
  expect(isDone).toBe(false);
  rounds[2]?.finish();
  await done;
  await pump.stop();
});

test("a failure is told to those who wait, and the next round comes", async () => {
  const { pump, rounds, begun } = pumpWith({ restMs: 5 });
  pump.start();
  await begun(1);
  const waiting = pump.caughtUp();
  rounds[0]?.finish();
  await begun(2);
  rounds[1]?.fail();
  await expect(waiting).rejects.toThrow("no");
  await vi.waitFor(() => expect(rounds).toHaveLength(3), { timeout: 15_000 });
  rounds[2]?.finish();
  await pump.stop();
});

test("stopped, it finishes its round and begins no other", async () => {
  const { pump, rounds, begun } = pumpWith({ restMs: 1 });
  pump.start();
  await begun(1);
  const waiting = pump.caughtUp();
  const stopped = pump.stop();
  rounds[0]?.finish();
  await stopped;
  await expect(waiting).rejects.toThrow("stopped");
  pump.wake();
  await pump.caughtUp();
  expect(rounds).toHaveLength(1);
});

test("a failure is told once, and then that it works again", async () => {
  const lines: string[] = [];
  const { pump, rounds, begun } = pumpWith({
    restMs: 5,
    log: createLog({ level: "info", destination: { write: (line) => void lines.push(line) } }),
  });
  pump.start();
  await begun(1);
  rounds[0]?.fail();
  await vi.waitFor(() => expect(rounds).toHaveLength(2), { timeout: 15_000 });
  rounds[1]?.fail();
  await vi.waitFor(() => expect(rounds).toHaveLength(3), { timeout: 15_000 });
  rounds[2]?.finish();
  await pump.stop();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { job: "test", err: { message: "no" } },
    { job: "test", failures: 2 },
  ]);
});
