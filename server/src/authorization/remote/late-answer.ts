import type { CardFacts } from "../../cards/card.ts";
import { cardCounters, needsOfKept } from "../../cards/kept-tables.ts";
import { numbered } from "../../cards/numbering.ts";
import type { Operation } from "../../engine/operation.ts";
import { need, remove, update } from "../../engine/table.ts";
import { transactionById, transactions } from "../../transactions/table.ts";
import type { Transaction } from "../../transactions/transaction.ts";
import { advise } from "./advices.ts";
import { questionById, questions } from "./question-table.ts";
import type { RemoteDecision } from "./report.ts";

export interface LateAnswer {
  card: CardFacts;
  transactionId: string;
  requestId: string;
  decision: RemoteDecision;
}

export interface Noted {
  /** The organization has to be told that its approval came to nothing. */
  sendsReversal: boolean;
}

/** Notes what an organization answered after the decision was made. The outcome stays as it is. */
export const noteLateAnswer: Operation<LateAnswer, Noted> = {
  name: "late-answer",
  accounts: ({ card }) => [card.accountId],
  needs: ({ card, transactionId, requestId }) => [
    ...needsOfKept(card),
    need(transactionById, transactionId),
    need(questionById, requestId),
  ],
  decide: (view, input, now) => {
    const { transactionId, requestId, decision } = input;
    const transaction = view.row(transactions, transactionId);
    const counters = view.row(cardCounters, input.card.cardId);
    // It is there only while an approval would have to be taken back.
    const question = view.row(questions, requestId);
    const sendsReversal = question !== undefined && decision === "Approve";
    const rows = [
      ...(question === undefined ? [] : [remove(questions, question)]),
      ...(sendsReversal ? [advise(question.reversal, now)] : []),
    ];
    const answer = { sendsReversal };
    if (transaction === undefined || counters === undefined) {
      return { effects: { postings: [], rows, events: [] }, answer };
    }
    const { approved, responseCode } = transaction;
    const sequenced = numbered(counters, {
      eventType: "authorization.late_answer",
      data: { transactionId, requestId, lateDecision: decision, approved, responseCode },
    });
    const changes = [
      update(transactions, noted(transaction, decision)),
      update(cardCounters, sequenced.counters),
    ];
    return {
      effects: { postings: [], rows: [...rows, ...changes], events: sequenced.events },
      answer,
    };
  },
};

function noted(transaction: Transaction, lateDecision: RemoteDecision): Transaction {
  const { decision } = transaction;
  // Where another process decided the same message, its own question is on record.
  if (decision?.remote === undefined) return { ...transaction };
  return {
    ...transaction,
    decision: { ...decision, remote: { ...decision.remote, lateDecision } },
  };
}
