/** What came of one check; what cannot be seen from outside is not judged, and says so. */
export interface Verdict {
  result: "passed" | "failed" | "not judged";
  seen: string;
}

export interface Check {
  /** What a right receiver does, as a sentence without its subject: "refuses a bad signature". */
  name: string;
  run(): Promise<Verdict>;
}

export const passed = (seen: string): Verdict => ({ result: "passed", seen });
export const failed = (seen: string): Verdict => ({ result: "failed", seen });
export const notJudged = (seen: string): Verdict => ({ result: "not judged", seen });

/** The first verdict that is not a pass, else the last one. */
export async function all(verdicts: readonly (() => Promise<Verdict>)[]): Promise<Verdict> {
  let last = notJudged("nothing was tried");
  for (const verdict of verdicts) {
    last = await verdict();
    if (last.result !== "passed") return last;
  }
  return last;
}
