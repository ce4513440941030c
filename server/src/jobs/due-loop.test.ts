import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { createLog } from "../foundation/log.ts";
import { DueLoop, type DueWork } from "./due-loop.ts";

const silent = createLog({ level: "silent" });
const loops: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const loop of loops.splice(0)) await loop.stop();
});

/** Items by name, with the time at which they fall due. */
function table(maxAtOnce: number, change: Partial<DueWork<string>> = {}, log = silent) {
  const due = new Map<string, number>();
  const done: string[] = [];
  const work: DueWork<string> = {
    name: "test",
    maxAtOnce,
    take: async (limit) => {
      const nowMs = performance.now();
      const taken = [...due].filter(([, atMs]) => atMs <= nowMs).slice(0, limit);
      for (const [item] of taken) due.delete(item);
      return taken.map(([item]) => item);
    },
    run: async (item) => void done.push(item),
    nextInMs: async () =>
      due.size === 0 ? undefined : Math.min(...due.values()) - performance.now(),
    ...change,
  };
  const loop = new DueLoop(work, log);
  loops.push(loop);
  const add = (item: string, inMs = 0) => due.set(item, performance.now() + inMs);
  return { due, done, loop, add };
}

const becomes = (look: () => unknown, expected: unknown) =>
  vi.waitFor(() => expect(look()).toEqual(expected), { timeout: 15_000, interval: 5 });

test("what is due at the start is worked on, and what is not waits for its time", async () => {
  const { done, loop, add } = table(2);
  add("now");
  add("soon", 50);
  add("much later", 3_600_000);
  loop.start();
  await becomes(() => done, ["now", "soon"]);
});

test("what is put down later is found when the loop is woken, and also when it is not", async () => {
  const { done, loop, add } = table(2);
  loop.start();
  await pause(20);
  add("woken");
  loop.wake();
  await becomes(() => done, ["woken"]);
  add("found");
  await becomes(() => done, ["woken", "found"]);
});

test("no more are worked on at once than may be", async () => {
  let running = 0;
  let most = 0;
  const { done, loop, add } = table(3, {
    run: async (item) => {
      most = Math.max(most, ++running);
      await pause(5);
      running -= 1;
      done.push(item);
    },
  });
  for (let n = 0; n < 20; n++) add(`item ${n}`);
  loop.start();
  await becomes(() => done.length, 20);
  expect(most).toBe(3);
});

test("an item that fails, and a look that fails, hold up nobody", async () => {
  let looks = 0;
  const { due, done, loop, add } = table(1, {
    take: async () => {
      if (++looks === 1) throw new Error("no database");
      const [item] = due.keys();
      if (item === undefined) return [];
      due.delete(item);
      return [item];
    },
    run: async (item) => {
      if (item === "bad") throw new Error("bad item");
      done.push(item);
    },
  });
  add("bad");
  add("good");
  loop.start();
  loop.wake();
  await becomes(() => done, ["good"]);
});

test("looks that fail are told once, and then that they work again", async () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", destination: { write: (line) => void lines.push(line) } });
  let looks = 0;
  const take = async () => {
    if (++looks <= 3) throw new Error("no database");
    return [];
  };
  const { loop } = table(1, { take }, log);
  loop.start();
  await vi.waitFor(
    () => {
      loop.wake();
      expect(looks).toBeGreaterThan(4);
    },
    { timeout: 15_000 },
  );
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { job: "test", err: { message: "no database" } },
    { job: "test", failures: 3 },
  ]);
});

test("a stop tells the work, waits for it and takes no more", async () => {
  let told = false;
  const { done, loop, add } = table(1, {
    run: (item, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", async () => {
          told = true;
          await pause(30);
          done.push(item);
          resolve();
        });
      }),
  });
  add("first");
  add("second");
  loop.start();
  await pause(30);
  await loop.stop();
  expect({ told, done }).toEqual({ told: true, done: ["first"] });
  loop.wake();
  await pause(30);
  expect(done).toEqual(["first"]);
});

test("a loop that was never started is not woken", async () => {
  const { done, loop, add } = table(1);
  add("item");
  loop.wake();
  await pause(30);
  expect(done).toEqual([]);
});
