import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Turnstile } from "./turnstile.ts";

const BUSY = 10_000;

let engine: { queued: number };
let turnstile: Turnstile;
let inside: string[];
const connections = { flood: {}, quiet: {}, other: {} };
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  engine = { queued: BUSY };
  turnstile = new Turnstile(engine);
  inside = [];
});
afterEach(() => vi.useRealTimers());

async function arrive(name: keyof typeof connections, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const turn = turnstile.enter(connections[name]);
    if (turn === undefined) inside.push(name);
    else void turn.then(() => inside.push(name));
  }
  await settled();
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function beat(): Promise<void> {
  vi.advanceTimersByTime(2);
  await settled();
}

test("a few go straight in, as many as keep the engine busy", async () => {
  await arrive("flood", 1_000);
  expect(inside).toHaveLength(64);
  await beat();
  expect(inside).toHaveLength(64);
});

test("for each that leaves another comes in, and connections take turns", async () => {
  await arrive("flood", 1_000);
  await arrive("quiet", 2);
  await arrive("other", 1);
  inside = [];
  for (let n = 0; n < 6; n++) turnstile.leave();
  await settled();
  expect(inside).toEqual(["flood", "quiet", "other", "flood", "quiet", "flood"]);
});

test("more come in while little waits for the engine, all in the end", async () => {
  await arrive("flood", 1_000);
  engine.queued = 28;
  await beat();
  expect(inside).toHaveLength(64 + 36);
  engine.queued = 0;
  for (let n = 0; n < 20; n++) await beat();
  expect(inside).toHaveLength(1_000);
  for (let n = 0; n < 1_000; n++) turnstile.leave();
  inside = [];
  await arrive("flood", 64);
  expect(inside).toHaveLength(64);
});
