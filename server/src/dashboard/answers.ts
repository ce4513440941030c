import type { RouteHandlerMethod } from "fastify";
import { codes } from "../foundation/codes.ts";
import type { AnswerLog } from "../http/answer-log.ts";
import type { App } from "../http/app.ts";
import { type Ok, successText } from "../http/envelope.ts";

type Handler = (...parameters: unknown[]) => Promise<Ok<unknown> | undefined>;

/** Puts what handlers give into envelopes; whoever has answered already gives nothing. */
export function wrapAnswers(app: App, answers: AnswerLog): void {
  app.addHook("onRoute", (route) => {
    const handle = route.handler as unknown as Handler;
    route.handler = async function (this: unknown, request, reply) {
      const answer = await handle.call(this, request, reply);
      const { httpStatus, code } = codes.SUCCESS;
      answers.answered(request, httpStatus, code);
      if (answer === undefined) return reply;
      return reply.type("application/json; charset=utf-8").send(successText(answer, request.id));
    } as RouteHandlerMethod;
  });
}
