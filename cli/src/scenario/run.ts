import { type Florin, FlorinError } from "@florin/sdk";
import { differences } from "./compare.ts";
import { perform } from "./perform.ts";
import type { Fields, Scenario, Step } from "./scenario.ts";
import { type Data, World } from "./world.ts";

export interface StepResult {
  step: Step;
  data?: Data;
  /** The responseCode of a refusal, wanted or not. */
  refusedWith?: string;
  /** What is not as it should be; empty when all is well. */
  problems: string[];
}

export interface ScenarioResult {
  scenario: Scenario;
  results: StepResult[];
  isGood: boolean;
}

/** Plays a scenario to its end or to the first step that goes wrong. */
export async function runScenario(
  florin: Florin,
  apiUrl: string,
  scenario: Scenario,
  onStep: (result: StepResult, index: number) => void = () => undefined,
): Promise<ScenarioResult> {
  const results: StepResult[] = [];
  const world = new World(florin, apiUrl);
  try {
    await world.noteWallets();
    for (const step of scenario.steps) {
      const result = await runStep(world, step);
      results.push(result);
      onStep(result, results.length - 1);
      if (result.problems.length > 0) return { scenario, results, isGood: false };
    }
  } finally {
    await world.close();
  }
  return { scenario, results, isGood: true };
}

async function runStep(world: World, step: Step): Promise<StepResult> {
  try {
    const data = await perform(world, step);
    if (step.refused !== undefined) {
      return {
        step,
        data,
        problems: [`expected to be refused with ${step.refused}, but it was done`],
      };
    }
    return { step, data, problems: differences(expectationOf(step), data) };
  } catch (error) {
    if (!(error instanceof FlorinError) || error.responseCode === undefined) throw error;
    return { step, refusedWith: error.responseCode, problems: refusalProblems(step, error) };
  }
}

/** A purchase that nobody says more about is meant to be approved: a decline must not pass unseen. */
function expectationOf({ action, expect = {} }: Step): Fields {
  const isSilent = expect.approved === undefined && expect.responseCode === undefined;
  return action === "authorize" && isSilent ? { approved: true, ...expect } : expect;
}

function refusalProblems({ refused }: Step, error: FlorinError): string[] {
  if (refused === error.responseCode) return [];
  const expected = refused === undefined ? "" : `, expected ${refused}`;
  const fields = error.errors.map(({ field, message }) => `${field}: ${message}`);
  return [`refused with ${error.responseCode} ${error.responseMessage}${expected}`, ...fields];
}
