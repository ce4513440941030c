import { codes } from "../../foundation/codes.ts";
import type { Failed, Outcome } from "../../outbound/outcome.ts";
import type { DefaultDecision } from "../settings/store.ts";
import { readAnswer } from "./answer.ts";
import type { RemoteDecision, RemoteReport } from "./report.ts";

/** What a question led to: the organization's answer, or its default decision in place of one. */
export interface Reply {
  decision: RemoteDecision;
  /** What a decline is for. */
  responseCode: string;
  /** Whether the organization itself approved, so that it must hear of it if nothing comes of that. */
  isApproval: boolean;
  /** Whether an answer may still come, or has come without being heard. */
  isOpen: boolean;
  report: RemoteReport;
}

export function replyTo(outcome: Outcome, defaultDecision: DefaultDecision): Reply {
  const read = readAnswer(outcome);
  const durationMs = Math.round(outcome.durationMs * 10) / 10;
  if ("answer" in read) {
    const { decision, responseCode, metadata } = read.answer;
    return {
      decision,
      responseCode,
      isApproval: decision === "Approve",
      isOpen: false,
      report: {
        durationMs,
        timedOut: false,
        defaultUsed: false,
        ...(metadata === undefined ? {} : { metadata }),
      },
    };
  }
  return {
    decision: defaultDecision === "AutoApprove" ? "Approve" : "Decline",
    responseCode: codes.AUTHORIZATION_DECLINED.code,
    isApproval: false,
    isOpen: outcome.isSecondTry === true || isUnheard(outcome),
    report: {
      durationMs,
      timedOut: !outcome.isAnswer && outcome.reason === "Timeout",
      defaultUsed: true,
      error: read.error,
    },
  };
}

const isUnheard = (outcome: Outcome): boolean =>
  !outcome.isAnswer && outcome.isSent === true && isSilence(outcome);

/** Whether nothing was heard, so that the organization may have approved. An invalid answer is no approval. */
export const isSilence = ({ reason }: Failed): boolean =>
  reason === "Timeout" || reason === "ConnectionFailed" || reason === "TlsFailed";
