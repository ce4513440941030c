import type { FastifyReply, FastifyRequest } from "fastify";
import type { Scope } from "../identity/scopes.ts";
import type { AnswerLog } from "./answer-log.ts";
import type { Identity } from "./authenticate.ts";
import { callerOf } from "./caller.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The scope a token needs for this route; CardAPIs unless said otherwise. */
    scope?: Scope;
  }
}

/** A route as its guard sees it. */
export interface GuardedRoute {
  method: string;
  /** As it was declared, without the prefix of the API; a path that no route has is "*". */
  path: string;
  scope: Scope;
}

/** Says who sends a request, or refuses it. */
export type Guard = (request: FastifyRequest) => Identity | Promise<Identity>;

/** Makes the guard of a route, once, so that nothing of the route is looked up with each request. */
export type GuardOf = (route: GuardedRoute) => Guard;

export type Admission = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
) => void;

/** Lets in whom the guard knows, as the caller of the request. */
export function admission({ answers }: { answers: AnswerLog }, guard: Guard): Admission {
  return (request, _reply, done) => {
    answers.received(request);
    try {
      const identity = guard(request);
      if (identity instanceof Promise) {
        identity.then((later) => accept(later, request, done)).catch(done);
      } else accept(identity, request, done);
    } catch (error) {
      done(error as Error);
    }
  };
}

function accept(identity: Identity, request: FastifyRequest, done: () => void): void {
  request.caller = callerOf(identity, request);
  done();
}
