import type { Operation } from "../../engine/operation.ts";
import { need, remove } from "../../engine/table.ts";
import { advise } from "./advices.ts";
import { type Question, questionById, questions } from "./question-table.ts";

export interface Withdrawal {
  question: Question;
  /** Whether the organization approved, or may have. */
  isReversed: boolean;
}

/** Closes a question that led to no decision; if it was or may have been approved, a reversal is sent. */
export const withdraw: Operation<Withdrawal, void> = {
  name: "withdraw-question",
  accounts: ({ question }) => [question.accountId],
  needs: ({ question }) => [need(questionById, question.requestId)],
  decide: (view, { question: { requestId }, isReversed }, now) => {
    const question = view.row(questions, requestId);
    const rows =
      question === undefined
        ? []
        : [remove(questions, question), ...(isReversed ? [advise(question.reversal, now)] : [])];
    return { effects: { postings: [], rows, events: [] }, answer: undefined };
  },
};
