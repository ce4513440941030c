import type { FastifyRequest, RouteHandlerMethod } from "fastify";
import type { Pool } from "../db/pool.ts";
import type { Engine } from "../engine/engine.ts";
import type { Clock } from "../foundation/clock.ts";
import { codes } from "../foundation/codes.ts";
import { Failure } from "../foundation/failure.ts";
import type { InFlight } from "../references/in-flight.ts";
import { refuseUsedUp } from "../references/service.ts";
import type { AnswerLog } from "./answer-log.ts";
import { type Ok, successEnvelope } from "./envelope.ts";
import { asFailure } from "./problem.ts";
import { type Remembered, rememberOutcome } from "./remember.ts";

export interface OnceDeps {
  clock: Clock;
  pool: Pool;
  inFlight: InFlight;
  /** Records outcomes of requests that moved nothing; need not wait for the disk. */
  recorder: Engine;
  answers: AnswerLog;
}

type Handler = (request: FastifyRequest, reply: never) => Promise<Ok<unknown>>;

/**
 * Wraps a handler so that its Reference works once. Money operations settle their Reference in their
 * own commit; for everything else the outcome is recorded here, before the answer goes out.
 */
export function once(deps: OnceDeps, handler: RouteHandlerMethod): RouteHandlerMethod {
  const handle = handler as unknown as Handler;
  return async function (request, reply) {
    request.caller.handling = true;
    return deps.inFlight.takeTurn(request.caller.claim, async () => {
      try {
        const answer = await handle.call(this, request, reply as never);
        await remember(deps, request, { resourceId: answer.resourceId });
        deps.answers.answered(request, codes.SUCCESS.httpStatus, codes.SUCCESS.code);
        return successEnvelope(answer, request.id);
      } catch (error) {
        const failure = asFailure(error);
        if (isMalformed(failure)) await refuseIfUsedUp(deps, request);
        else if (isFinal(failure)) await remember(deps, request, { refused: failure.codeName });
        throw failure;
      }
    });
  };
}

/** For requests that fail before their handler: a used-up Reference outranks whatever is wrong with them. */
export function checkReferenceOf(deps: OnceDeps, request: FastifyRequest): Promise<void> {
  return deps.inFlight.takeTurn(request.caller.claim, () => refuseIfUsedUp(deps, request));
}

async function refuseIfUsedUp(deps: OnceDeps, { caller }: FastifyRequest): Promise<void> {
  if (!caller.claim.settled) await refuseUsedUp(deps, caller.claim);
}

async function remember(
  deps: OnceDeps,
  request: FastifyRequest,
  outcome: Remembered,
): Promise<void> {
  const { claim, organizationId } = request.caller;
  if (claim.settled) return;
  try {
    await deps.recorder.run(rememberOutcome, organizationId, outcome, claim);
  } catch (error) {
    if (error instanceof Failure && error.codeName === "DUPLICATE_REQUEST") throw error;
    if (!("refused" in outcome)) throw error;
  }
}

/** A malformed request leaves no trace, wherever in its handling that was noticed. */
const isMalformed = (failure: Failure): boolean => failure.response.httpStatus === 400;

/** Whatever nobody knows the outcome of must not be remembered as failed. */
const isFinal = (failure: Failure): boolean => failure.codeName !== "SERVICE_MALFUNCTION";
