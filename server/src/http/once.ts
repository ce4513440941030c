import type { FastifyRequest, RouteHandlerMethod } from "fastify";
import type { Pool } from "../db/pool.ts";
import type { Engine } from "../engine/engine.ts";
import type { Clock } from "../foundation/clock.ts";
import { codes } from "../foundation/codes.ts";
import { type Failure, isFailure } from "../foundation/failure.ts";
import type { InFlight } from "../references/in-flight.ts";
import { refuseUsedUp } from "../references/service.ts";
import type { AnswerLog } from "./answer-log.ts";
import type { Caller } from "./caller.ts";
import { type Ok, type Streamed, successText } from "./envelope.ts";
import { asFailure } from "./problem.ts";
import { type Remembered, rememberOutcome } from "./remember.ts";
import { loseAnswer, sendJson, sendPieces } from "./send.ts";

export interface OnceDeps {
  clock: Clock;
  pool: Pool;
  inFlight: InFlight;
  /** Records outcomes of requests that moved nothing; need not wait for the disk. */
  recorder: Engine;
  answers: AnswerLog;
  /** For a simulator: whether the answer to this request is to be lost, its effect standing. */
  losesAnswer?: (request: FastifyRequest) => boolean;
}

type Handler = (request: FastifyRequest, reply: never) => Promise<Ok<unknown> | Streamed>;

/**
 * Wraps a handler so that its Reference works once. Money operations settle their Reference in their
 * own commit; for everything else the outcome is recorded here, before the answer goes out.
 */
export function once(deps: OnceDeps, handler: RouteHandlerMethod): RouteHandlerMethod {
  const handle = handler as unknown as Handler;
  return async function (request, reply) {
    const { caller } = request;
    caller.handling = true;
    caller.receivedMs = performance.now();
    if (deps.losesAnswer?.(request) === true) loseAnswer(reply);
    const answer = await deps.inFlight.takeTurn(caller.claim, async () => {
      try {
        const answer = await handle.call(this, request, reply as never);
        if (!caller.claim.settled) await remember(deps, caller, { resourceId: answer.resourceId });
        return answer;
      } catch (error) {
        throw await settleFailure(deps, caller, asFailure(error));
      }
    });
    const { code, httpStatus } = codes.SUCCESS;
    if ("pieces" in answer) {
      deps.answers.answered(request, httpStatus, code);
      return sendPieces(reply, answer, deps.answers.log);
    }
    const text = successText(answer, request.id);
    // Requests of one batch come here together, and take each step before any takes the next: see in-step.ts.
    await undefined;
    deps.answers.answered(request, httpStatus, code);
    await undefined;
    sendJson(reply, httpStatus, text);
  };
}

/** What a failure leaves of its Reference; a Reference that is used up outranks a malformed request. */
async function settleFailure(deps: OnceDeps, caller: Caller, failure: Failure): Promise<Failure> {
  if (isMalformed(failure)) await refuseIfUsedUp(deps, caller);
  else if (isFinal(failure)) await remember(deps, caller, { refused: failure.codeName });
  return failure;
}

/** For requests that fail before their handler: a used-up Reference outranks whatever is wrong with them. */
export function checkReferenceOf(deps: OnceDeps, request: FastifyRequest): Promise<void> {
  return deps.inFlight.takeTurn(request.caller.claim, () => refuseIfUsedUp(deps, request.caller));
}

async function refuseIfUsedUp(deps: OnceDeps, { claim }: Caller): Promise<void> {
  if (!claim.settled) await refuseUsedUp(deps, claim);
}

async function remember(
  deps: OnceDeps,
  { claim, organizationId }: Caller,
  outcome: Remembered,
): Promise<void> {
  if (claim.settled) return;
  try {
    await deps.recorder.run(rememberOutcome, organizationId, outcome, claim);
  } catch (error) {
    if (isFailure(error, "DUPLICATE_REQUEST")) throw error;
    // A refusal that could not be recorded is still answered; a retry is judged afresh.
    if (!("refused" in outcome)) throw error;
  }
}

/** A malformed request leaves no trace, wherever in its handling that was noticed. */
const isMalformed = (failure: Failure): boolean => failure.response.httpStatus === 400;

/** A request whose outcome is unknown must not be remembered as failed. */
const isFinal = (failure: Failure): boolean => failure.codeName !== "SERVICE_MALFUNCTION";
