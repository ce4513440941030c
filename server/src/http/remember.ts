import type { Operation } from "../engine/operation.ts";
import type { CodeName } from "../foundation/codes.ts";

/** What became of a request that moved nothing. */
export type Remembered = { resourceId?: string | undefined } | { refused: CodeName };

/** An operation without effects: all it leaves is the outcome of its Reference. */
export const rememberOutcome: Operation<Remembered, void> = {
  name: "remember",
  accounts: () => [],
  decide: (_view, outcome) => {
    if ("refused" in outcome) return { refused: outcome.refused };
    const { resourceId } = outcome;
    const effects = { postings: [], events: [] };
    return resourceId === undefined
      ? { effects, answer: undefined }
      : { effects, answer: undefined, resourceId };
  },
};
