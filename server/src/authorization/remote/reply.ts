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
  /** Whether the organization approved, or may have unheard: if nothing comes of that, it must be told. */
  mayHaveApproved: boolean;
  /** Whether an answer may still come. */
  isAwaited: boolean;
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
      mayHaveApproved: decision === "Approve",
      isAwaited: false,
      report: {
        durationMs,
        timedOut: false,
        defaultUsed: false,
        ...(metadata === undefined ? {} : { metadata }),
      },
    };
  }
  const isAwaited = !outcome.isAnswer && outcome.late !== undefined;
  return {
    decision: defaultDecision === "AutoApprove" ? "Approve" : "Decline",
    responseCode: codes.AUTHORIZATION_DECLINED.code,
    mayHaveApproved:
      !isAwaited && !outcome.isAnswer && outcome.isSent === true && isSilence(outcome),
    isAwaited,
    report: {
      durationMs,
      timedOut: !outcome.isAnswer && outcome.reason === "Timeout",
      defaultUsed: true,
      error: read.error,
    },
  };
}

/** Nothing was heard, which says nothing about what was said. Whatever was heard is known to be no approval. */
export const isSilence = ({ reason }: Failed): boolean =>
  reason === "Timeout" || reason === "ConnectionFailed";
