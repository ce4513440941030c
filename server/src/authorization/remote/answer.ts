import { z } from "zod";
import { codes } from "../../foundation/codes.ts";
import type { Outcome } from "../../outbound/outcome.ts";
import type { RemoteDecision } from "./report.ts";

/** What an organization said. */
export interface Answer {
  decision: RemoteDecision;
  /** What a decline is for. */
  responseCode: string;
  metadata?: object;
}

/** Unknown fields are ignored; those that count must be valid. */
const Body = z.looseObject({
  decision: z.enum(["Approve", "Decline"]),
  responseCode: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});

const MAX_METADATA_LENGTH = 2_048;
/** In JSON that we have written: half a character is escaped there only without its other half. */
const NOT_STORABLE = /(?<!\\)(\\\\)*\\u(0000|d[89a-f])/;
const DECLINED = codes.AUTHORIZATION_DECLINED.code;

const refusals: ReadonlySet<string> = new Set(
  Object.values(codes)
    .filter(({ finality }) => finality === "TerminalFailure")
    .map(({ code }) => code),
);

/** Reads what came of a question: only a 200 with a valid decision is an answer. */
export function readAnswer(outcome: Outcome): { answer: Answer } | { error: string } {
  if (!outcome.isAnswer) return { error: outcome.message };
  if (outcome.status !== 200) return { error: `The status of the answer is ${outcome.status}` };
  if (outcome.truncated) return { error: "The answer is too long" };
  const json = parse(outcome.body);
  if (json === undefined) return { error: "The answer is not valid JSON" };
  const body = Body.safeParse(json.value);
  if (!body.success) return { error: "The answer holds no valid decision" };
  const { decision, responseCode, metadata } = body.data;
  const kept = keepable(metadata ?? undefined);
  return {
    answer: {
      decision,
      responseCode: responseCode && refusals.has(responseCode) ? responseCode : DECLINED,
      ...(kept === undefined ? {} : { metadata: kept }),
    },
  };
}

function parse(body: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(body.toString()) };
  } catch {
    return undefined;
  }
}

/** What is too long, or what the database would not take, is left out; the decision counts all the same. */
function keepable(metadata: object | undefined): object | undefined {
  if (metadata === undefined) return undefined;
  try {
    const text = JSON.stringify(metadata);
    const isTaken = text.length <= MAX_METADATA_LENGTH && !NOT_STORABLE.test(text);
    return isTaken ? metadata : undefined;
  } catch {
    // It is nested too deeply.
    return undefined;
  }
}
