import type { CodeName } from "../foundation/codes.ts";
import { type Check, checks } from "./checks.ts";
import type { Facts } from "./facts.ts";

export interface Evaluation {
  /** The code of the first check that failed; undefined: all that were run passed. */
  failed: CodeName | undefined;
  /** Where it failed. */
  failedAt: number;
  /** What became of each check, in their order: P for passed, F for failed, S for skipped. */
  results: string;
  /** Tenths of microseconds for each check. */
  times: number[];
}

/**
 * Runs the checks until one fails; those after it are skipped. `nowMs` only measures, so a decision that
 * is evaluated again from its stored facts comes out the same.
 */
export function evaluate(facts: Facts, nowMs: () => number): Evaluation {
  const evaluation: Evaluation = { failed: undefined, failedAt: -1, results: "", times: [] };
  let startedMs = nowMs();
  for (let index = 0; index < checks.length; index++) {
    const isRun = evaluation.failed === undefined;
    const outcome = isRun ? (checks[index] as Check).run(facts) : "Skipped";
    evaluation.results += outcome === undefined ? "P" : outcome === "Skipped" ? "S" : "F";
    if (outcome !== undefined && outcome !== "Skipped") {
      evaluation.failed = outcome;
      evaluation.failedAt = index;
    }
    const endedMs = isRun ? nowMs() : startedMs;
    evaluation.times.push(Math.round((endedMs - startedMs) * 10_000));
    startedMs = endedMs;
  }
  return evaluation;
}
