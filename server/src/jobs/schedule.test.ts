import { afterEach, expect, test } from "vitest";
import { createLog } from "../foundation/log.ts";
import { Schedule } from "./schedule.ts";

const NEVER_MS = 2 ** 31 - 1;

let schedule: Schedule;
afterEach(() => schedule.stop());

function openSchedule(lines: string[] = []): Schedule {
  schedule = new Schedule(
    createLog({ level: "info", destination: { write: (line) => lines.push(line) } }),
  );
  return schedule;
}

/** A job that begins and ends when it is told to. */
function patientJob() {
  const runs: (() => void)[] = [];
  const run = () => new Promise<void>((resolve) => runs.push(resolve));
  return { runs, job: { name: "patient", everyMs: NEVER_MS, run } };
}

test("a job that is woken runs now", () => {
  const { runs, job } = patientJob();
  openSchedule().add(job);
  expect(runs).toHaveLength(0);
  schedule.wake("patient");
  expect(runs).toHaveLength(1);
  runs[0]?.();
});

test("a job that is woken while it runs begins again when it has ended, once", async () => {
  const { runs, job } = patientJob();
  openSchedule().add(job);
  schedule.wake("patient");
  schedule.wake("patient");
  schedule.wake("patient");
  expect(runs).toHaveLength(1);
  runs[0]?.();
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(runs).toHaveLength(2);
  schedule.wake("patient");
  expect(runs).toHaveLength(3);
  runs[2]?.();
});

test("a stop waits for the job that runs, and nothing starts any more", async () => {
  const { runs, job } = patientJob();
  openSchedule().add(job);
  schedule.wake("patient");
  let hasStopped = false;
  const stopped = schedule.stop().then(() => {
    hasStopped = true;
  });
  await new Promise(setImmediate);
  expect(hasStopped).toBe(false);
  runs[0]?.();
  await stopped;
  schedule.wake("patient");
  expect(runs).toHaveLength(1);
});

test("a failure is logged once with the job's name, and the job has other turns until it works", async () => {
  const lines: string[] = [];
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs < 3) throw new Error("no luck");
  };
  openSchedule(lines).add({ name: "unlucky", everyMs: NEVER_MS, run });
  for (let turn = 0; turn < 4; turn++) {
    schedule.wake("unlucky");
    await new Promise(setImmediate);
  }
  expect(runs).toBe(4);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { job: "unlucky", err: { message: "no luck" } },
    { job: "unlucky", failures: 2 },
  ]);
});

test("nobody of that name is nobody to wake", () => {
  openSchedule().wake("nobody");
});
