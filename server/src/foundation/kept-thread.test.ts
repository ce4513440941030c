import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { eventually, until } from "../../test/harness/eventually.ts";
import { FailureLog } from "./failure-log.ts";
import { type Kept, KeptThread, type KeptThreadOptions } from "./kept-thread.ts";
import { createLog } from "./log.ts";

interface Functions extends Kept {
  given(): unknown;
  environment(): string[];
  fail(): void;
  hang(): void;
  finish(): void;
}

const SOURCE = `
const { parentPort, workerData } = require("node:worker_threads");
const functions = {
  isThere: () => true,
  given: () => workerData,
  environment: () => Object.keys(process.env),
  fail: () => { setImmediate(() => { throw new RangeError("as asked"); }); },
  hang: () => { for (;;); },
  finish: () => process.exit(),
};
parentPort.on("message", ({ call, number }) => {
  parentPort.postMessage({ answers: number, value: functions[call]() });
});`;

const scratch = mkdtempSync(join(tmpdir(), "florin-test-kept-thread-"));
const program = join(scratch, "program.js");
writeFileSync(program, SOURCE);
afterAll(() => rmSync(scratch, { recursive: true }));

let thread: KeptThread<Functions>;
let lines: string[];
beforeEach(() => {
  lines = [];
  thread = openThread();
});
afterEach(() => thread.stop(async () => undefined));

function openThread(options: Partial<KeptThreadOptions> = {}): KeptThread<Functions> {
  const log = createLog({ level: "info", destination: { write: (line) => lines.push(line) } });
  return new KeptThread({
    name: "tried",
    dataNow: () => "first",
    ours: {},
    failures: new FailureLog(log, "thread", "it failed"),
    ...options,
  });
}

/** What the log has about it. */
const told = (): { msg: string; err: unknown }[] => lines.map((line) => JSON.parse(line));

/** Why it was replaced. */
const failure = (): Promise<unknown> => eventually("it has failed", () => told()[0]?.err);

test("it begins when it is wanted, once it may, and only once", async () => {
  expect(thread.wanted()).toBeUndefined();
  thread.start(program);
  expect(thread.channel).toBeUndefined();
  const channel = thread.wanted();
  expect(await channel?.call("given")).toBe("first");
  expect([thread.wanted(), thread.wantedNow(), thread.channel]).toEqual([
    channel,
    channel,
    channel,
  ]);
  expect(lines).toEqual([]);
});

test.each<[what: keyof Functions, problem: object]>([
  ["fail", { type: "RangeError", message: "as asked" }],
  ["hang", { message: "It hung." }],
  ["finish", { message: "It ended by itself." }],
])("should it %s, another takes over with what it is to know by then", async (what, problem) => {
  let data = "first";
  thread = openThread({ dataNow: () => data, patienceMs: 500 });
  thread.start(program);
  await thread.wanted()?.call("given");
  data = "second";
  thread.channel?.tell(what);
  expect(await failure()).toMatchObject(problem);
  expect(thread.wanted()).toBeUndefined();
  const next = await eventually("another is there", () => thread.channel);
  expect(await next.call("given")).toBe("second");
  await until("that is told", () => told().length > 1);
  expect(told()[1]?.msg).toBe("background work succeeds again");
});

test("who waits for its answer hears that it has ended; who cannot wait has another at once", async () => {
  thread.start(program);
  const channel = thread.wanted();
  await channel?.call("given");
  channel?.tell("finish");
  await expect(channel?.call("given")).rejects.toThrow("The thread 'tried' has ended.");
  expect(await thread.wantedNow()?.call("given")).toBe("first");
});

test("one that cannot be opened harms nobody who wants it, and is tried again", async () => {
  // Not a path, which is refused on the spot, as when there are too many threads.
  thread.start("nowhere.js");
  expect([thread.wanted(), thread.wantedNow()]).toEqual([undefined, undefined]);
  expect(await failure()).toMatchObject({ code: "ERR_WORKER_PATH" });
  thread.start(program);
  await eventually("it is there", () => thread.channel);
});

test("once stopped it does not begin again, whether it ran or was to be replaced", async () => {
  const asked: unknown[] = [];
  thread.start(program);
  const channel = thread.wanted();
  await thread.stop(async (each) => {
    asked.push(await each.call("given"));
  });
  expect(asked).toEqual(["first"]);
  await expect(channel?.call("given")).rejects.toThrow("has ended");
  expect(thread.wantedNow()).toBeUndefined();
  thread.start(program);
  thread.wanted()?.tell("finish");
  await failure();
  await thread.stop(() => Promise.reject(new Error("there is none to ask")));
  expect(thread.wantedNow()).toBeUndefined();
  expect(told().slice(1)).toEqual([]);
});

test("the service's own settings, keys among them, are not in its environment", async () => {
  vi.stubEnv("FLORIN_MASTER_KEY", "secret");
  thread.start(program);
  const names = (await thread.wanted()?.call("environment")) ?? [];
  vi.unstubAllEnvs();
  expect(names).toContain("PATH");
  expect(names.filter((name) => name.startsWith("FLORIN_"))).toEqual([]);
});
