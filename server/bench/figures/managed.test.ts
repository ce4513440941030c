import { expect, test } from "vitest";
import { judgeDeadline } from "./managed.ts";

const hung = (durationMs: number) => ({ durationMs, timedOut: true, isHung: true });
const prompt = (durationMs: number, timedOut = false) => ({ durationMs, timedOut, isHung: false });

test.each([
  [[hung(400.5), hung(412), hung(398)], 12],
  [[hung(391), hung(400)], 9], // too early is as wrong as too late
  [[hung(403), prompt(2), prompt(399)], 3], // those that answered say nothing of the deadline
])("the distance from 400 ms %#", (asked, expected) => {
  const { value, violation } = judgeDeadline(asked, 420);
  expect(value).toBeCloseTo(expected);
  expect(violation).toBeUndefined();
});

test("an endpoint that answered and was taken for late is a violation", () => {
  const { details, violation } = judgeDeadline([hung(401), prompt(400, true)], 420);
  expect(details).toMatchObject({ askedCount: 2, timeOutsCount: 2, falseTimeOutsCount: 1 });
  expect(violation).toContain("1 ");
});
