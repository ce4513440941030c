import { Florin } from "@florin/sdk";
import { describe, expect, test } from "vitest";
import { audit } from "../../server/src/ledger/audit/audit.ts";
import { openOperator } from "../../server/test/harness/operator.ts";
import type { TestService } from "../../server/test/harness/service.ts";
import { readScenario } from "../src/scenario/read.ts";
import { eventTypes, makeHappen } from "../src/scenario/recipes.ts";
import { runScenario } from "../src/scenario/run.ts";
import { loadScenario, shippedNames } from "../src/scenario/shipped.ts";
import { served } from "./harness/served.ts";

let service: TestService;
let florin: Florin;
const { run, json } = served((opened) => {
  service = opened;
  florin = new Florin(opened.sandbox);
});

const play = (text: string) =>
  runScenario(florin, service.sandbox.apiUrl, readScenario(text, "test.yaml"));

test("at least a dozen come with Florin", () => {
  expect(shippedNames().length).toBeGreaterThanOrEqual(12);
});

// Some move the clock, so each is played twice in a row: a story must not depend on when it is told.
test.each(shippedNames())("%s goes as it should, and again", async (name) => {
  for (let n = 0; n < 2; n++) {
    const { results } = await runScenario(florin, service.sandbox.apiUrl, loadScenario(name));
    expect(results.flatMap(({ step, problems }) => problems.map((p) => [step.action, p]))).toEqual(
      [],
    );
  }
});

test("after all of it the books hold", async () => {
  const core = await openOperator(service);
  try {
    expect((await audit(core.pool)).problems).toEqual([]);
  } finally {
    await core.close();
  }
});

test.each(eventTypes)("trigger %s makes it happen", async (type) => {
  const newest = async () => (await florin.events.list({ type, limit: 1 }).toArray(1))[0]?.eventId;
  const before = await newest();
  await makeHappen(florin, service.sandbox.apiUrl, type);
  await expect.poll(newest, { timeout: 10_000 }).not.toBe(before);
});

test("every type of event of the reference has a recipe", async () => {
  const answer = await fetch(`${service.sandbox.apiUrl}/openapi.json`);
  const document = (await answer.json()) as {
    paths: Record<string, { get: { parameters: { name: string; schema: { enum?: string[] } }[] } }>;
  };
  const parameters = document.paths["/api/v1/events"]?.get.parameters ?? [];
  const types = parameters.find(({ name }) => name === "type")?.schema.enum;
  expect([...eventTypes].sort()).toEqual([...(types ?? [])].sort());
});

describe("what goes wrong is told, and ends the story", () => {
  test.each([
    ["an answer that differs", "expect: { balance: 6 }", ["balance: expected 6, got 5"]],
    [
      "a refusal that does not come",
      'refused: "116"',
      ["expected to be refused with 116, but it was done"],
    ],
  ])("%s", async (_what, expectation, problems) => {
    const { results, isGood } = await play(
      `title: T\nsteps:\n  - issue: { initialBalance: 5 }\n    ${expectation}\n  - freeze:`,
    );
    expect({ isGood, problems: results.map((result) => result.problems) }).toEqual({
      isGood: false,
      problems: [problems],
    });
  });

  test("a refusal that nobody expected, with the fields that are wrong", async () => {
    const { results } = await play("title: T\nsteps:\n  - issue: { currency: XXX }");
    expect(results[0]?.problems[0]).toMatch(/^refused with \d+ /);
  });

  test("a decline that nobody expected", async () => {
    const { results } = await play("title: T\nsteps:\n  - issue:\n  - authorize: 1");
    expect(results[1]?.problems).toEqual(["approved: expected true, got false"]);
  });

  test("the organization's settings are put back all the same", async () => {
    const before = await florin.settings.getCardAuthorization();
    await play(
      "title: T\nsteps:\n  - issue:\n  - customer-managed: { answer: Decline }\n  - authorize: 1",
    );
    expect(await florin.settings.getCardAuthorization()).toEqual(before);
  });
});

test("the command plays them, for people and for programs, and its exit code tells", async () => {
  const people = await run("simulate", "scenario", "over-capture");
  expect(people).toMatchObject({ code: 0, stderr: "" });
  expect(people.stdout).toMatch(/^Over-capture\n {2}✓ {2}1 {2}issue 100 .*Active\n/);
  expect(await json("simulate", "scenario", "lite-spent")).toMatchObject([
    { name: "lite-spent", isGood: true },
  ]);
  const moving = await run("simulate", "scenario", "holds-expire");
  expect(moving.stderr).toBe("This moves the sandbox's clock forward by 32 days, for good.\n");
  const list = await json("simulate", "scenario");
  expect(list.map(({ name }: { name: string }) => name)).toEqual(shippedNames());
  expect(await json("trigger", "transaction.declined")).toMatchObject({
    eventType: "transaction.declined",
  });
});
