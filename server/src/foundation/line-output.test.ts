import { execFileSync } from "node:child_process";
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LineOutput } from "./line-output.ts";

let directory: string;
let opened: number[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "florin-lines-"));
});
afterEach(() => {
  for (const fd of opened) closeSync(fd);
  opened = [];
  rmSync(directory, { recursive: true, force: true });
});

function open(path: string, flags: string | number): number {
  const fd = openSync(path, flags);
  opened.push(fd);
  return fd;
}

const outputTo = (fd: number): LineOutput => new LineOutput(fd, (count) => `${count} dropped\n`);

const flushed = (output: LineOutput): Promise<Error | undefined> =>
  new Promise((resolve) => output.flush(resolve));

/** A pipe that holds 64 KB and is read by `read` only. */
function newPipe(): { fd: number; read: () => string } {
  const path = join(directory, "pipe");
  execFileSync("mkfifo", [path]);
  const fd = open(path, constants.O_RDWR | constants.O_NONBLOCK);
  const buffer = Buffer.alloc(1_024 * 1_024);
  const read = (): string => {
    try {
      return buffer.toString("utf8", 0, readSync(fd, buffer));
    } catch {
      return "";
    }
  };
  return { fd, read };
}

const line = (n: number, length = 1_000): string => `${n} ${"x".repeat(length)}\n`;
const numbersIn = (text: string): number[] =>
  text.split("\n").flatMap((each) => (/^\d+ x/.test(each) ? [Number.parseInt(each, 10)] : []));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

test("lines are written whole and in order, all of them once it is flushed", async () => {
  const path = join(directory, "log");
  const output = outputTo(open(path, "a"));
  for (const n of upTo(5_000)) output.write(`${line(n, 100)}`);
  expect(await flushed(output)).toBeUndefined();
  expect(numbersIn(readFileSync(path, "utf8"))).toEqual(upTo(5_000));
  expect(await flushed(output)).toBeUndefined();
});

test("the last lines are written where nothing else can run any more", () => {
  const path = join(directory, "log");
  const output = outputTo(open(path, "a"));
  for (const n of upTo(3)) output.write(line(n));
  output.flushLast();
  expect(numbersIn(readFileSync(path, "utf8"))).toEqual(upTo(3));
});

test("a full disk throws nothing, and is the answer to whoever waits for the lines", async () => {
  // Not closed: it goes on trying, and must not find another file under the same number.
  const output = outputTo(openSync("/dev/full", "w"));
  output.write(line(0));
  expect(await flushed(output)).toMatchObject({ code: "ENOSPC" });
  output.flushLast();
});

test("what a pipe has no room for waits until somebody reads", async () => {
  const { fd, read } = newPipe();
  const output = outputTo(fd);
  for (const n of upTo(500)) output.write(line(n));
  let text = "";
  const done = flushed(output);
  while (numbersIn(text).length < 500) {
    await pause(10);
    text += read();
  }
  expect(await done).toBeUndefined();
  expect(numbersIn(text)).toEqual(upTo(500));
});

test("where nobody reads for long, lines are dropped, and the log says how many", async () => {
  const { fd, read } = newPipe();
  const output = outputTo(fd);
  // More than twice what may wait.
  const written = 10_000;
  for (const n of upTo(written)) output.write(line(n));
  let isDone = false;
  output.flush(() => {
    isDone = true;
  });
  let text = "";
  while (!isDone) {
    await pause(1);
    text += read();
  }
  text += read();
  const kept = numbersIn(text);
  const dropped = Number(/^(\d+) dropped$/m.exec(text)?.[1]);
  expect(dropped).toBeGreaterThan(1_000);
  expect(kept).toEqual(upTo(written - dropped));
});

test("the end waits for no reader", () => {
  const { fd, read } = newPipe();
  const output = outputTo(fd);
  for (const n of upTo(500)) output.write(line(n));
  output.flushLast();
  expect(numbersIn(read()).slice(0, 10)).toEqual(upTo(10));
});
