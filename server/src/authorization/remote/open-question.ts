import type { Decision, Operation } from "../../engine/operation.ts";
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
    if ("decided" in assessment) return decidedAs(assessment.decided);
    const { evaluation, barredBy } = assessment;
    if (evaluation.failed !== undefined || barredBy !== undefined) {
      return decidedAs(decline(view, purchase, assessment, barredBy));
    }
    return {
      effects: { postings: [], rows: [insert(questions, { ...question })], events: [] },
      answer: {},
      isUnsettled: true,
    };
  },
};

const decidedAs = (decision: Decision<DecidedPurchase>): Decision<{ decided?: DecidedPurchase }> =>
  "refused" in decision ? decision : { ...decision, answer: { decided: decision.answer } };
