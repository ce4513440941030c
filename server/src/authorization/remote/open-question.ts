import type { Operation } from "../../engine/operation.ts";
import { insert } from "../../engine/table.ts";
import { accountsOf, assess, needsOf } from "../assess.ts";
import { type DecidedPurchase, decline } from "../outcome.ts";
import type { Purchase } from "../purchase.ts";
import { type Question, questions } from "./question-table.ts";

export interface QuestionToOpen {
  purchase: Purchase;
  question: Question;
}

/**
 * Decides what needs no question: a message that repeats, and what one of the service's own checks or an empty
 * wallet declines. All else is stored as a question before it is asked, so that an approval can be taken back
 * if this process dies before it is recorded.
 */
export const openQuestion: Operation<QuestionToOpen, { decided?: DecidedPurchase }> = {
  name: "open-question",
  accounts: ({ purchase }) => accountsOf(purchase),
  needs: ({ purchase }) => needsOf(purchase),
  decide: (view, { purchase, question }, now) => {
    const assessment = assess(view, purchase, now);
    if (!("decided" in assessment) && assessment.evaluation.failed === undefined) {
      return {
        effects: { postings: [], rows: [insert(questions, { ...question })], events: [] },
        answer: {},
        isUnsettled: true,
      };
    }
    const decision =
      "decided" in assessment ? assessment.decided : decline(view, purchase, assessment);
    return "refused" in decision ? decision : { ...decision, answer: { decided: decision.answer } };
  },
};
