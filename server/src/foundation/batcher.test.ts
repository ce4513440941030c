import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Batcher, type Waiting } from "./batcher.ts";

type Batch = { lane: string; inputs: number[]; finish(): void; fail(error: Error): void };

/** A batcher whose batches end when the test says so. Each input is answered with its double. */
function watched({ lanes = ["A"], maxBatch = 3, maxQueue = 100, restMs = 0, patienceMs = 0 } = {}) {
  const batches: Batch[] = [];
  const run = (batch: Waiting<number, number>[], lane: string): Promise<void> =>
    new Promise((resolve, reject) => {
      batches.push({
        lane,
        inputs: batch.map(({ input }) => input),
        finish: () => {
          for (const item of batch) item.resolve(item.input * 2);
          resolve();
        },
        fail: reject,
      });
    });
  const overload = (): Error => new Error("full");
  const options = { lanes, maxBatch, maxQueue, restMs, patienceMs, run, overload };
  return { batches, batcher: new Batcher(options) };
}

/** Lets everything run that can run without a batch coming to its end. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

const inputsOf = (batches: Batch[]): number[][] => batches.map(({ inputs }) => inputs);

test("what arrives in one turn shares a batch, and each caller gets its own answer", async () => {
  const { batcher, batches } = watched();
  const answers = Promise.all([batcher.submit(1), batcher.submit(2), batcher.submit(3)]);
  await settle();
  expect(inputsOf(batches)).toEqual([[1, 2, 3]]);
  batches[0]?.finish();
  expect(await answers).toEqual([2, 4, 6]);
});

test("work waits while every lane is busy; a lane that becomes free takes all that fits", async () => {
  const { batcher, batches } = watched();
  const answers = [batcher.submit(1)];
  await settle();
  answers.push(...[2, 3, 4, 5].map((input) => batcher.submit(input)));
  await settle();
  expect(inputsOf(batches)).toEqual([[1]]);
  expect(batcher.queued).toBe(4);

  batches[0]?.finish();
  await answers[0];
  await settle();
  expect(inputsOf(batches)).toEqual([[1], [2, 3, 4]]);
  batches[1]?.finish();
  await answers[1];
  await settle();
  expect(inputsOf(batches)).toEqual([[1], [2, 3, 4], [5]]);
  batches[2]?.finish();
  expect(await Promise.all(answers)).toEqual([2, 4, 6, 8, 10]);
});

test("a lane that becomes free takes what waits before the event loop looks around", async () => {
  const { batcher, batches } = watched();
  const answers = [batcher.submit(1)];
  await settle();
  answers.push(batcher.submit(2));
  await settle();
  batches[0]?.finish();
  for (let step = 0; step < 10; step++) await Promise.resolve();
  expect(inputsOf(batches)).toEqual([[1], [2]]);
  batches[1]?.finish();
  expect(await Promise.all(answers)).toEqual([2, 4]);
});

test("an idle lane does not wait for a busy one", async () => {
  const { batcher, batches } = watched({ lanes: ["A", "B"] });
  const slow = batcher.submit(1);
  await settle();
  const quick = batcher.submit(2);
  await settle();
  expect(new Set(batches.map(({ lane }) => lane))).toEqual(new Set(["A", "B"]));
  batches[1]?.finish();
  expect(await quick).toBe(4);
  batches[0]?.finish();
  expect(await slow).toBe(2);
});

test("a full queue refuses at once and spares those who already wait", async () => {
  const { batcher, batches } = watched({ maxQueue: 2 });
  const running = batcher.submit(1);
  await settle();
  const waiting = [batcher.submit(2), batcher.submit(3)];
  await expect(batcher.submit(4)).rejects.toThrow("full");

  batches[0]?.finish();
  await running;
  await settle();
  batches[1]?.finish();
  expect(await Promise.all(waiting)).toEqual([4, 6]);
});

test("a batch that throws rejects its own callers only, and gives its lane back", async () => {
  const { batcher, batches } = watched();
  const failing = Promise.allSettled([batcher.submit(1), batcher.submit(2)]);
  await settle();
  batches[0]?.fail(new Error("broken"));
  expect((await failing).map(({ status }) => status)).toEqual(["rejected", "rejected"]);

  const next = batcher.submit(3);
  await settle();
  batches[1]?.finish();
  expect(await next).toBe(6);
});

describe("a lane that rests after each batch", () => {
  const restMs = 60_000;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("lets more share the next one; the first that comes does not wait", async () => {
    const { batcher, batches } = watched({ restMs });
    const first = batcher.submit(1);
    await settle();
    batches[0]?.finish();
    await first;
    await settle();
    const later = [batcher.submit(2)];
    await settle();
    later.push(batcher.submit(3));
    await settle();
    expect(inputsOf(batches)).toEqual([[1]]);

    vi.advanceTimersByTime(restMs);
    await settle();
    expect(inputsOf(batches)).toEqual([[1], [2, 3]]);
    batches[1]?.finish();
    expect(await Promise.all(later)).toEqual([4, 6]);
  });

  test("is woken by a whole batch, and rests again after it", async () => {
    const { batcher, batches } = watched({ restMs, maxBatch: 2 });
    const answers = [batcher.submit(1)];
    await settle();
    batches[0]?.finish();
    await settle();
    answers.push(batcher.submit(2));
    await settle();
    expect(inputsOf(batches)).toEqual([[1]]);
    answers.push(batcher.submit(3));
    await settle();
    expect(inputsOf(batches)).toEqual([[1], [2, 3]]);
    batches[1]?.finish();
    await settle();
    answers.push(batcher.submit(4));
    await settle();
    expect(batches).toHaveLength(2);
    vi.advanceTimersByTime(restMs);
    await settle();
    batches[2]?.finish();
    expect(await Promise.all(answers)).toEqual([2, 4, 6, 8]);
  });

  test("does not while a whole batch waits, nor at the end", async () => {
    const { batcher, batches } = watched({ restMs, maxBatch: 2 });
    const answers = [1, 2, 3, 4, 5].map((input) => batcher.submit(input));
    await settle();
    batches[0]?.finish();
    await settle();
    expect(inputsOf(batches)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    const drain = batcher.drain();
    batches[1]?.finish();
    await settle();
    batches[2]?.finish();
    expect(await Promise.all(answers)).toEqual([2, 4, 6, 8, 10]);
    await drain;
  });
});

describe("work that waits for company while another lane is busy", () => {
  const patienceMs = 60_000;
  const busy = async (): Promise<ReturnType<typeof watched>> => {
    const started = watched({ lanes: ["A", "B"], maxBatch: 4, patienceMs });
    void started.batcher.submit(1);
    await settle();
    return started;
  };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("begins when three quarters of a batch are there", async () => {
    const { batcher, batches } = await busy();
    void batcher.submit(2);
    void batcher.submit(3);
    await settle();
    expect(inputsOf(batches)).toEqual([[1]]);
    void batcher.submit(4);
    await settle();
    expect(inputsOf(batches)).toEqual([[1], [2, 3, 4]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("begins when no lane is busy any more", async () => {
    const { batcher, batches } = await busy();
    void batcher.submit(2);
    await settle();
    batches[0]?.finish();
    await settle();
    expect(inputsOf(batches)).toEqual([[1], [2]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("begins when the first of it has waited long enough, whoever came meanwhile", async () => {
    const { batcher, batches } = await busy();
    void batcher.submit(2);
    await settle();
    vi.advanceTimersByTime(patienceMs - 1);
    void batcher.submit(3);
    await settle();
    expect(inputsOf(batches)).toEqual([[1]]);
    vi.advanceTimersByTime(1);
    expect(inputsOf(batches)).toEqual([[1], [2, 3]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("begins with the next free lane, where none was free when its patience ended", async () => {
    const { batcher, batches } = await busy();
    for (const input of [2, 3, 4]) void batcher.submit(input);
    await settle();
    void batcher.submit(5);
    vi.advanceTimersByTime(patienceMs);
    await settle();
    expect(inputsOf(batches)).toEqual([[1], [2, 3, 4]]);
    batches[1]?.finish();
    await settle();
    expect(inputsOf(batches)).toEqual([[1], [2, 3, 4], [5]]);
  });

  test("begins at once beside a lane that has been busy for longer than anybody waits for company", async () => {
    const { batcher, batches } = await busy();
    vi.advanceTimersByTime(patienceMs);
    void batcher.submit(2);
    await settle();
    expect(inputsOf(batches)).toEqual([[1], [2]]);
  });
});

test("who refuses gives up what waits, takes nothing more, and is drained when the rest has run", async () => {
  const { batcher, batches } = watched();
  const running = batcher.submit(1);
  await settle();
  const waiting = batcher.submit(2);
  batcher.refuse();
  await expect(waiting).rejects.toThrow("full");
  await expect(batcher.submit(3)).rejects.toThrow("full");
  const drained = batcher.drain();
  batches[0]?.finish();
  expect(await running).toBe(2);
  await drained;
  expect(inputsOf(batches)).toEqual([[1]]);
});

test("drain waits for what runs and for what still queues", async () => {
  const { batcher, batches } = watched({ maxBatch: 1 });
  await batcher.drain();
  const answers = Promise.all([batcher.submit(1), batcher.submit(2)]);
  let drained = false;
  const drain = batcher.drain().then(() => {
    drained = true;
  });
  await settle();
  batches[0]?.finish();
  await settle();
  expect(drained).toBe(false);
  batches[1]?.finish();
  await Promise.all([answers, drain]);
});

test("whatever the load, every input is answered once, within the bounds of lanes and batches", async () => {
  const load = fc.record({
    lanes: fc.integer({ min: 1, max: 3 }),
    maxBatch: fc.integer({ min: 1, max: 5 }),
    bursts: fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(load, async ({ lanes, maxBatch, bursts }) => {
      const busy = new Set<number>();
      const seen: number[] = [];
      const batcher = new Batcher<number, number, number>({
        lanes: Array.from({ length: lanes }, (_, n) => n),
        maxBatch,
        maxQueue: 1_000,
        overload: () => new Error("full"),
        run: async (batch, lane) => {
          expect(busy.has(lane)).toBe(false);
          expect(batch.length).toBeLessThanOrEqual(maxBatch);
          busy.add(lane);
          await nextTurn();
          busy.delete(lane);
          for (const { input, resolve } of batch) {
            seen.push(input);
            resolve(-input);
          }
        },
      });
      const answers: Promise<number>[] = [];
      for (const size of bursts) {
        for (let n = 0; n < size; n++) answers.push(batcher.submit(answers.length));
        await nextTurn();
      }
      await batcher.drain();
      const inputs = answers.map((_, n) => n);
      expect((await Promise.all(answers)).map((answer) => 0 - answer)).toEqual(inputs);
      expect(seen.toSorted((a, b) => a - b)).toEqual(inputs);
    }),
    { numRuns: 50 },
  );
});
