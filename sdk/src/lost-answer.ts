import type { Answer } from "./attempt.ts";
import { pause } from "./deadline.ts";
import {
  AbortedError,
  DuplicateRequestError,
  type FlorinError,
  IndeterminateError,
  LostAnswerError,
} from "./errors.ts";
import type { RequestOutcome } from "./generated/openapi.ts";
import type { OperationId } from "./operation.ts";
import { type Ask, recoveries } from "./recovery.ts";
import { changedFields } from "./same-payload.ts";

const IN_PROGRESS_PAUSE_MS = 250;

/** What a call says, in whichever of its attempts. */
export interface SentCall {
  operationId: OperationId | undefined;
  params: Record<string, string>;
  method: string;
  /** From `/api/v1` on. */
  path: string;
  body: string | undefined;
}

interface Means {
  ask: Ask;
  signal: AbortSignal | undefined;
  /** How often to look again while the earlier attempt is still being worked on. */
  maxRetries: number;
}

/** The Reference is used up: finds what an earlier attempt came to, and its answer if there is a way. */
export async function findLostAnswer(
  means: Means,
  call: SentCall,
  duplicate: FlorinError,
  reference: string,
): Promise<Answer> {
  const outcome = await readOutcome(means, reference);
  const isSame = outcome.method === call.method && outcome.path?.endsWith(call.path);
  if (outcome.state === "InProgress" && isSame) {
    const message = "An earlier attempt is still being worked on.";
    throw new IndeterminateError({ message, reference });
  }
  if (outcome.state !== "Succeeded" || !isSame)
    throw new DuplicateRequestError({ ...failureIn(duplicate), outcome });
  const data = await recover(means.ask, call, outcome);
  const changed = changedFields(call.operationId, call.body, data);
  if (changed.length > 0) {
    const message = `The Reference belongs to a request with another ${changed.join(" and ")}.`;
    throw new DuplicateRequestError({ ...failureIn(duplicate), message, outcome });
  }
  const { requestId = "" } = duplicate;
  const envelope = {
    responseCode: "000",
    responseMessage: "Success",
    finality: "TerminalSuccess" as const,
    requestId,
    data,
  };
  return { httpStatus: 200, headers: new Headers(), reference, envelope };
}

async function readOutcome(
  { ask, signal, maxRetries }: Means,
  reference: string,
): Promise<RequestOutcome> {
  try {
    for (let asked = 1; ; asked += 1) {
      const outcome = await ask("readRequest", { params: { reference } });
      const isOver = outcome.state !== "InProgress" || asked > maxRetries;
      if (isOver) return outcome;
      await pause(IN_PROGRESS_PAUSE_MS, signal, reference);
    }
  } catch (cause) {
    if (cause instanceof AbortedError) throw cause;
    const message = "The Reference is used up, but what became of it could not be found out.";
    throw new IndeterminateError({ message, reference, cause });
  }
}

async function recover(
  ask: Ask,
  { operationId, params }: SentCall,
  outcome: RequestOutcome,
): Promise<unknown> {
  const recovery = operationId === undefined ? undefined : recoveries[operationId];
  const message = "The call succeeded, but its answer was lost and cannot be had again.";
  const lost = { message, reference: outcome.reference, outcome };
  if (recovery === undefined) throw new LostAnswerError(lost);
  try {
    return await recovery(ask, { params, resourceId: outcome.resourceId ?? "" });
  } catch (cause) {
    throw new LostAnswerError({ ...lost, cause });
  }
}

function failureIn({
  message,
  responseCode,
  finality,
  requestId,
  httpStatus,
  reference,
}: FlorinError) {
  return { message, responseCode, finality, requestId, httpStatus, reference };
}
