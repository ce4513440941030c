import type { FastifyRequest, RouteHandlerMethod, RouteOptions } from "fastify";
import type { Pool } from "../../db/pool.ts";
import type { Clock } from "../../foundation/clock.ts";
import { codes } from "../../foundation/codes.ts";
import { redactText } from "../../foundation/redact.ts";
import type { App } from "../../http/app.ts";
import { wantsCsv } from "../../http/csv.ts";
import { asFailure } from "../../http/problem.ts";
import { sessionFrom } from "../access/guard.ts";
import { detailOf } from "./detail.ts";
import { audit } from "./service.ts";
import { saveOutcome } from "./store.ts";

/** These put themselves on record, whoever calls them. */
const SELF_AUDITED: ReadonlySet<string | undefined> = new Set(["setCardAuthorizationSettings"]);

interface Answer {
  resourceId?: string;
  data?: { cardId?: string; transactionId?: string };
}

type Handler = (request: FastifyRequest, reply: never) => Promise<Answer>;

/**
 * Puts on record what people do through the API's routes, and what they take away. The entry is there before anything happens, so
 * that a crash cannot leave a deed without one; how it ended is noted afterwards.
 */
export function auditWrites(api: App, deps: { pool: Pool; clock: Clock }): void {
  api.addHook("onRoute", (route) => {
    const action = route.schema?.operationId;
    if (action === undefined || SELF_AUDITED.has(action)) return;
    if (route.method === "GET") route.handler = recordedAsFile(deps, route, action);
    else route.handler = recorded(deps, route, action);
  });
}

/** Reading leaves no entry, but taking away a file does. */
function recordedAsFile(
  deps: { pool: Pool; clock: Clock },
  route: RouteOptions,
  action: string,
): RouteHandlerMethod {
  const look = route.handler;
  const take = recorded(deps, route, `${action}.exported`);
  return function (this, request, reply) {
    return (wantsCsv(request.headers.accept) ? take : look).call(this, request, reply);
  };
}

function recorded(
  { pool, clock }: { pool: Pool; clock: Clock },
  route: RouteOptions,
  action: string,
): RouteHandlerMethod {
  const handle = route.handler as unknown as Handler;
  return async function (this: unknown, request: FastifyRequest, reply: unknown) {
    const session = sessionFrom(request);
    const subject = subjectOf(request);
    const { reference, requestId } = request.caller.claim;
    const detail = { reference, requestId, ...detailOf(request.method, request.body) };
    const address = request.ip;
    const auditId = await audit(pool, clock, { ...session, action, subject, detail, address });
    try {
      const answer = await handle.call(this, request, reply as never);
      await saveOutcome(pool, auditId, codes.SUCCESS.code, madeBy(answer));
      return answer;
    } catch (error) {
      await saveOutcome(pool, auditId, asFailure(error).response.code, undefined);
      throw error;
    }
  } as unknown as RouteHandlerMethod;
}

/**
 * What the path names, be it a card, an event or an endpoint. Nobody has judged it yet: it may be a card number, or hold
 * what the database does not take.
 */
function subjectOf({ params }: FastifyRequest): string | undefined {
  const [first] = Object.values((params ?? {}) as Record<string, string>);
  return first === undefined
    ? undefined
    : redactText(first)
        .replace(/\p{Cc}/gu, "\ufffd")
        .slice(0, 100);
}

/** What an action made, for one whose path names nothing. */
const madeBy = ({ resourceId, data }: Answer): string | undefined =>
  resourceId ?? data?.cardId ?? data?.transactionId;
