import type { Command } from "commander";
import { exitCodes } from "../exit.ts";
import { florinCommand } from "../project.ts";
import { runScenario, type ScenarioResult, type StepResult } from "../scenario/run.ts";
import type { Scenario, Step } from "../scenario/scenario.ts";
import { loadScenario, shippedNames } from "../scenario/shipped.ts";
import type { Session } from "../session.ts";
import { durationText, readDuration } from "../terminal/duration.ts";
import { table } from "../terminal/table.ts";
import { run } from "./action.ts";

export function addScenario(simulate: Command): void {
  const command = simulate
    .command("scenario")
    .argument("[names...]", "of scenarios that come with Florin, or files of your own")
    .option("--all", "play all that come with Florin; some move the sandbox's clock, for good")
    .description("Play a story and check every answer; without a name, list the stories");
  run<{ all?: boolean }>(command, async (session, names, { all }) => {
    const wanted = all === true ? shippedNames() : names;
    // Read before any is played: a mistake in the last one should not cost the time of the first.
    const scenarios = wanted.map(loadScenario);
    if (scenarios.length === 0) {
      list(session);
      return undefined;
    }
    if (!session.isJson) warnOfClock(session, scenarios);
    const results: ScenarioResult[] = [];
    for (const scenario of scenarios) results.push(await play(session, scenario));
    if (session.isJson) session.terminal.print(JSON.stringify(results.map(asJson), null, 2));
    else if (results.length > 1) summarize(session, results);
    return results.every(({ isGood }) => isGood) ? exitCodes.ok : exitCodes.refused;
  });
}

/** The clock never goes back, so whoever plays should know before it moves. */
function warnOfClock({ terminal }: Session, scenarios: readonly Scenario[]): void {
  const seconds = scenarios
    .flatMap(({ steps }) => steps)
    .filter(({ action }) => action === "advance-clock")
    .reduce((sum, { fields }) => sum + (readDuration(fields.by) ?? 0), 0);
  if (seconds === 0) return;
  const words = `This moves the sandbox's clock forward by ${durationText(seconds)}, for good.`;
  terminal.say(terminal.style("yellow", words));
}

function list({ terminal, isJson }: Session): void {
  const scenarios = shippedNames().map(loadScenario);
  if (isJson) {
    const rows = scenarios.map(({ name, title, about }) => ({ name, title, about }));
    terminal.print(JSON.stringify(rows, null, 2));
    return;
  }
  const columns = [
    { head: "scenario", cell: ({ name }: Scenario) => name },
    { head: "steps", align: "right" as const, cell: ({ steps }: Scenario) => String(steps.length) },
    { head: "what happens", cell: ({ title }: Scenario) => title },
  ];
  terminal.print(table(terminal, columns, scenarios));
  terminal.say(`\nPlay one: ${florinCommand} simulate scenario over-capture`);
}

async function play(
  { florin, profile, terminal, isJson }: Session,
  scenario: Scenario,
): Promise<ScenarioResult> {
  const say = isJson ? () => undefined : terminal.print;
  const width = Math.max(...scenario.steps.map((step) => describe(step).length));
  say(terminal.style("bold", scenario.title));
  const result = await runScenario(florin, profile.apiUrl, scenario, (step, index) => {
    const mark =
      step.problems.length === 0 ? terminal.style("green", "✓") : terminal.style("red", "✗");
    say(
      `  ${mark} ${String(index + 1).padStart(2)}  ${describe(step.step).padEnd(width)}  ${outcomeOf(step)}`.trimEnd(),
    );
    for (const problem of step.problems) say(`        ${terminal.style("red", problem)}`);
  });
  say("");
  return result;
}

/** A step in a few words: `settle order 40`, or what its author calls it. */
export function describe({ action, fields, title }: Step): string {
  if (title !== undefined) return title;
  const words = Object.entries(fields)
    .filter(([name, value]) => name !== "as" && ["string", "number"].includes(typeof value))
    .map(([, value]) => String(value));
  return [action, ...words].join(" ");
}

function outcomeOf({ data, refusedWith }: StepResult): string {
  if (refusedWith !== undefined) return `refused with ${refusedWith}`;
  if (typeof data?.approved === "boolean" && data.stage !== "Completed") {
    return data.approved ? String(data.stage) : `declined with ${data.responseCode}`;
  }
  return typeof data?.status === "string" ? data.status : "";
}

function summarize({ terminal }: Session, results: readonly ScenarioResult[]): void {
  const failed = results.filter(({ isGood }) => !isGood).map(({ scenario }) => scenario.name);
  terminal.print(
    failed.length === 0
      ? terminal.style("green", `All ${results.length} scenarios went as they should.`)
      : terminal.style(
          "red",
          `${failed.length} of ${results.length} went wrong: ${failed.join(", ")}`,
        ),
  );
}

function asJson({ scenario, results, isGood }: ScenarioResult): object {
  const steps = results.map(({ step, problems, refusedWith, data }) => ({
    action: step.action,
    problems,
    ...(refusedWith === undefined ? { data } : { refusedWith }),
  }));
  return { name: scenario.name, isGood, steps };
}
