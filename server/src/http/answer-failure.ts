import type { FastifyReply, FastifyRequest } from "fastify";
import type { AnswerLog } from "./answer-log.ts";
import { failureEnvelope } from "./envelope.ts";
import { partIfStopping } from "./listener.ts";
import { asFailure } from "./problem.ts";

export function answerFailure(
  { answers }: { answers: AnswerLog },
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const failure = asFailure(error);
  const { httpStatus, code } = failure.response;
  if (failure.cause !== undefined) answers.failed(request, failure.cause, "the request failed");
  if (failure.retryAfterS !== undefined) reply.header("retry-after", failure.retryAfterS);
  if (failure.challenge !== undefined) reply.header("www-authenticate", failure.challenge);
  answers.answered(request, httpStatus, code);
  partIfStopping(reply.raw);
  return reply.code(httpStatus).send(failureEnvelope(failure, request.id));
}
