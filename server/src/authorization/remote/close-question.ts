import type { Operation } from "../../engine/operation.ts";
import { need, remove } from "../../engine/table.ts";
import { advise } from "./advices.ts";
import { type Question, questionById, questions } from "./question-table.ts";

export interface QuestionToClose {
  question: Question;
  /** The organization approved, or may have: it is told that nothing came of it. */
  sendsReversal: boolean;
}

/** Closes a question that led to no decision; if it was or may have been approved, a reversal is sent. */
export const closeQuestion: Operation<QuestionToClose, void> = {
  name: "close-question",
  accounts: ({ question }) => [question.accountId],
  needs: ({ question }) => [need(questionById, question.requestId)],
  decide: (view, { question: { requestId }, sendsReversal }, now) => {
    const question = view.row(questions, requestId);
    const rows =
      question === undefined
        ? []
        : [remove(questions, question), ...(sendsReversal ? [advise(question.reversal, now)] : [])];
    return { effects: { postings: [], rows, events: [] }, answer: undefined };
  },
};
