import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FailureLog } from "./failure-log.ts";
import { createLog } from "./log.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const refused = (): Error => Object.assign(new AggregateError([]), { code: "ECONNREFUSED" });

function failureLog() {
  const lines: string[] = [];
  const log = createLog({ level: "info", destination: { write: (line) => void lines.push(line) } });
  /** What was written since it was last asked for. */
  const told = () => lines.splice(0).map((line) => JSON.parse(line));
  return { failures: new FailureLog(log, "test", "it failed"), told };
}

/** A failure every second. */
function failFor(failures: FailureLog, seconds: number, error: Error): void {
  for (let second = 0; second < seconds; second++) {
    vi.advanceTimersByTime(1_000);
    failures.failed(error);
  }
}

test("the first failure is told whole, its repeats are counted and told every half minute", () => {
  const { failures, told } = failureLog();
  failures.failed(refused());
  expect(told()).toMatchObject([
    { level: 40, job: "test", msg: "it failed", err: { stack: expect.any(String) } },
  ]);
  failFor(failures, 29, refused());
  expect(told()).toEqual([]);
  failFor(failures, 31, refused());
  expect(told()).toEqual([
    {
      level: 40,
      time: expect.any(String),
      job: "test",
      reason: "ECONNREFUSED",
      failures: 31,
      msg: "it failed, again and again",
    },
    expect.objectContaining({ failures: 61 }),
  ]);
});

test("the first success says that it works again, the next ones nothing", () => {
  const { failures, told } = failureLog();
  failures.worked();
  expect(told()).toEqual([]);
  failFor(failures, 3, refused());
  told();
  failures.worked();
  failures.worked();
  expect(told()).toMatchObject([{ level: 30, job: "test", failures: 3 }]);
  failures.failed(refused());
  expect(told()).toMatchObject([{ err: { code: "ECONNREFUSED" } }]);
});

test("a failure of another kind is told whole too", () => {
  const { failures, told } = failureLog();
  failFor(failures, 3, refused());
  failFor(failures, 3, new Error("starting up"));
  failFor(failures, 3, refused());
  expect(told()).toMatchObject([
    { err: { code: "ECONNREFUSED" } },
    { err: { message: "starting up" } },
  ]);
});

test("kinds without end are not told without end", () => {
  const { failures, told } = failureLog();
  for (let n = 0; n < 1_000; n++) failures.failed(new Error(`failure ${n}`));
  expect(told()).toHaveLength(10);
});
