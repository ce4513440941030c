import { expect, test } from "vitest";
import { Agenda } from "./agenda.ts";
import type { Candidate } from "./delivery.ts";

const NOW = new Date("2026-01-31T12:00:00.000Z");
const candidate = (n: number): Candidate => ({
  organizationId: "org_1",
  webhookEndpointId: `whe_${n}`,
  isFailing: false,
});
const busy = (n: number, change: object) => ({
  ...candidate(n),
  hasDue: false,
  hasFresh: false,
  hasRecovery: false,
  ...change,
});

const ids = (agenda: Agenda): string[] =>
  agenda.candidates().map(({ webhookEndpointId }) => webhookEndpointId);

const ask = (agenda: Agenda, n: number, room: number) =>
  agenda.questionsFor([{ key: candidate(n), room }], 1, NOW);

test("each kind of work is asked for, and each gets its part of the room", () => {
  const agenda = new Agenda();
  agenda.add([busy(1, { hasDue: true, hasFresh: true })]);
  const questions = ask(agenda, 1, 5);
  expect(questions.map(({ statement }) => statement.name)).toEqual([
    "webhooks_claim_due",
    "webhooks_claim_fresh",
  ]);
  expect(questions.map(({ asked }) => asked.rooms[0]?.room)).toEqual([3, 2]);
});

test("where there is room for one kind only, they take turns", () => {
  const agenda = new Agenda();
  agenda.add([{ ...candidate(1), hasDue: true, hasFresh: true, hasRecovery: true }]);
  const asked = Array.from({ length: 4 }, () => ask(agenda, 1, 1).map(({ asked }) => asked.kind));
  expect(asked).toEqual([["due"], ["fresh"], ["recovery"], ["due"]]);
});

test.each([
  [{ hasDue: true }, "webhooks_claim_due"],
  [{ hasFresh: true }, "webhooks_claim_fresh"],
  [{ hasRecovery: true }, "webhooks_claim_recovered"],
])("only what there is, %o, is asked for, with all the room", (change, name) => {
  const agenda = new Agenda();
  agenda.add([busy(1, change)]);
  expect(
    ask(agenda, 1, 5).map(({ statement, asked }) => [statement.name, asked.rooms[0]?.room]),
  ).toEqual([[name, 5]]);
});

test("whoever had less than there was room for is struck off, kind by kind", () => {
  const agenda = new Agenda();
  agenda.add([busy(1, { hasDue: true, hasFresh: true })]);
  const [due, fresh] = ask(agenda, 1, 4);
  if (due === undefined || fresh === undefined) throw new Error("Two kinds were to be asked for.");
  agenda.found(due.asked, [candidate(1)]);
  expect(ask(agenda, 1, 4).map(({ asked }) => asked.kind)).toEqual(["fresh"]);
  agenda.found(fresh.asked, [candidate(1), candidate(1)]);
  expect(agenda.has(candidate(1))).toBe(true);
  agenda.found(fresh.asked, []);
  expect(agenda.has(candidate(1))).toBe(false);
});

test("news that comes while the database is asked is not forgotten", () => {
  const agenda = new Agenda();
  agenda.addFresh(candidate(1));
  const [fresh] = ask(agenda, 1, 4);
  if (fresh === undefined) throw new Error("It was to be asked for.");
  agenda.addFresh(candidate(1));
  agenda.found(fresh.asked, []);
  expect(agenda.has(candidate(1))).toBe(true);
});

test("whoever had a turn goes to the end of the line", () => {
  const agenda = new Agenda();
  for (const n of [1, 2, 3]) agenda.addFresh(candidate(n));
  ask(agenda, 1, 4);
  expect(ids(agenda)).toEqual(["whe_2", "whe_3", "whe_1"]);
});
