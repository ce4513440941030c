import type { Decision, Operation } from "../../engine/operation.ts";
import { need, type RowChange, remove } from "../../engine/table.ts";
import type { View } from "../../engine/view.ts";
import { accountsOf, assess, needsOf } from "../assess.ts";
import type { Assessment } from "../assessment.ts";
import { approve, type DecidedPurchase, decline } from "../outcome.ts";
import type { Purchase } from "../purchase.ts";
import { advise } from "./advices.ts";
import { type Question, questionById, questions } from "./question-table.ts";
import type { Reply } from "./reply.ts";

export interface Conclusion {
  purchase: Purchase;
  question: Question;
  reply: Reply;
}

/**
 * Decides a purchase by what the organization said, unless something has changed meanwhile that forbids
 * it. An approval that comes to nothing is taken back in the same commit.
 */
export const conclude: Operation<Conclusion, DecidedPurchase> = {
  name: "conclude",
  accounts: ({ purchase }) => accountsOf(purchase),
  needs: ({ purchase, question }) => [...needsOf(purchase), need(questionById, question.requestId)],
  decide: (view, input, now) => {
    const assessment = assess(view, input.purchase, now);
    const question = view.row(questions, input.question.requestId);
    const decision =
      "decided" in assessment
        ? assessment.decided
        : decideByReply(view, input, assessment, question);
    if ("refused" in decision || question === undefined) return decision;
    const rows = closing(input, question, decision.answer, now);
    const { effects } = decision;
    return { ...decision, effects: { ...effects, rows: [...(effects.rows ?? []), ...rows] } };
  },
};

/** A question that is gone was taken for abandoned and reversed: the purchase must not be approved now. */
function decideByReply(
  view: View,
  input: Conclusion,
  assessed: Assessment,
  noted: Question | undefined,
): Decision<DecidedPurchase> {
  const { purchase, reply } = input;
  const timeoutEvents = reply.report.timedOut ? [timedOut(input)] : [];
  const judged = { remote: reply.report, furtherEvents: timeoutEvents };
  // Added, not spread: see decision 5.
  const assessment = Object.assign(assessed, judged);
  const { evaluation, barredBy } = assessment;
  const isAllowed =
    evaluation.failed === undefined && barredBy === undefined && noted !== undefined;
  return isAllowed && reply.decision === "Approve"
    ? approve(view, purchase, assessment)
    : decline(view, purchase, assessment, barredBy ?? reply.responseCode);
}

function timedOut({ purchase, question, reply }: Conclusion) {
  const { transactionId, requestType } = purchase;
  return {
    eventType: "authorization.remote_timeout",
    data: {
      transactionId,
      requestId: question.requestId,
      requestType,
      durationMs: reply.report.durationMs,
      defaultAuthorizationDecision: reply.decision === "Approve" ? "AutoApprove" : "AutoDecline",
    },
  };
}

/**
 * The question of a declined purchase stays while its answer may still come, or may have come unheard: it may
 * be an approval. `closeAbandonedQuestions` takes it back once no answer can come any more.
 */
function closing(
  { purchase, reply }: Conclusion,
  question: Question,
  { transaction }: DecidedPurchase,
  now: Date,
): RowChange[] {
  const isApproved = transaction.approved && transaction.transactionId === purchase.transactionId;
  if (isApproved) return [remove(questions, question)];
  if (reply.isApproval) return [remove(questions, question), advise(question.reversal, now)];
  return reply.isOpen ? [] : [remove(questions, question)];
}
