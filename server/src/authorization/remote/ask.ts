import type { Operation } from "../../engine/operation.ts";
import { insert } from "../../engine/table.ts";
import { type Authorized, accountsOf, decline, look, needsOf } from "../authorize.ts";
import type { Purchase } from "../purchase.ts";
import { type Question, questions } from "./question-table.ts";

export interface Asking {
  purchase: Purchase;
  question: Question;
}

/**
 * Decides what needs no question: a message that repeats, and what one of the service's own checks or an empty
 * wallet declines. All else is stored as a question before it is asked, so that an approval can be taken back
 * if this process dies before it is recorded.
 */
export const ask: Operation<Asking, { decided?: Authorized }> = {
  name: "ask",
  accounts: ({ purchase }) => accountsOf(purchase),
  needs: ({ purchase }) => needsOf(purchase),
  decide: (view, { purchase, question }, now) => {
    const seen = look(view, purchase, now);
    if ("scene" in seen && seen.scene.evaluation.failed === undefined) {
      return {
        effects: { postings: [], rows: [insert(questions, { ...question })], events: [] },
        answer: {},
        isUnsettled: true,
      };
    }
    const decision = "scene" in seen ? decline(view, purchase, seen.scene) : seen.decided;
    return "refused" in decision ? decision : { ...decision, answer: { decided: decision.answer } };
  },
};
