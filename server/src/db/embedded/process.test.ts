import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { commandLine, goneWithin, identify, isAlive, ownIdentity } from "./process.ts";

test("a process is known by its pid and its start", () => {
  const own = ownIdentity();
  expect(isAlive(own)).toBe(true);
  expect(isAlive({ ...own, startedAt: `${own.startedAt}0` })).toBe(false);
  expect(commandLine(own.pid)).toContain("node");
});

test("a process that ended is gone", async () => {
  const child = spawn("sleep", ["60"]);
  const identity = identify(child.pid ?? 0);
  expect(identity).toBeDefined();
  if (identity === undefined) return;
  expect(await goneWithin(identity, 0)).toBe(false);
  child.kill();
  expect(await goneWithin(identity, 10_000)).toBe(true);
});

test("a process that ended and was never reaped is gone", async () => {
  // The shell becomes a sleep, which does not know that it has a child to reap, before the child ends.
  const parent = spawn("sh", ["-c", "sleep 2 & echo $!; exec sleep 60"]);
  const [line] = await once(createInterface({ input: parent.stdout }), "line");
  const zombie = Number(line);
  await expect.poll(() => identify(zombie), { timeout: 15_000 }).toBeUndefined();
  // The signal still finds something: the zombie was there all along.
  expect(process.kill(zombie, 0)).toBe(true);
  parent.kill();
});
