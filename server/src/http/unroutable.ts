import type { FastifyReply, FastifyRequest } from "fastify";
import { Failure } from "../foundation/failure.ts";
import { API_PREFIX } from "./addresses.ts";
import { answerFailure } from "./answer-failure.ts";
import { callerOf } from "./caller.ts";
import type { Guard, GuardedRoute } from "./guard.ts";
import { checkReferenceOf, type OnceDeps } from "./once.ts";

/** A path of the API that no route has, as its guard sees it: only authenticated callers get a 404. */
export const STRAY: GuardedRoute = { method: "GET", path: "*", scope: "CardAPIs" };

export const unknownPath = (): Failure => new Failure("UNABLE_TO_LOCATE_RECORD");

/** Answers a path that cannot be decoded; under the API's prefix, after authentication. */
export async function refuseUnroutable(
  deps: OnceDeps & { arrive(request: FastifyRequest, reply: FastifyReply): void },
  guard: Guard,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  try {
    deps.arrive(request, reply);
    if (request.url.includes(`${API_PREFIX}/`)) {
      const identity = await guard(request);
      request.caller = callerOf(identity, request);
      await checkReferenceOf(deps, request);
    }
    throw badPath(request.url);
  } catch (error) {
    return answerFailure(deps, error, request, reply);
  }
}

/** An undecodable card id is INVALID_CARD_ID; under /requests it is a 400, never a 404. */
function badPath(url: string): Failure {
  const cardId = url.startsWith(CARDS) ? url.slice(CARDS.length).split(/[/?]/, 1)[0] : undefined;
  if (cardId !== undefined && !isDecodable(cardId)) return new Failure("INVALID_CARD_ID");
  if (!url.startsWith(`${API_PREFIX}/requests/`)) return unknownPath();
  return new Failure("INVALID_REQUEST", {
    errors: [{ field: "reference", message: "cannot be decoded" }],
  });
}

const CARDS = `${API_PREFIX}/cards/`;

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
