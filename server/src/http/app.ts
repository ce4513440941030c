import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { Failure } from "../foundation/failure.ts";
import type { Scope } from "../identity/scopes.ts";
import type { AnswerLog } from "./answer-log.ts";
import {
  type AuthenticationDeps,
  authenticate,
  type Identity,
  takeFromAddress,
} from "./authenticate.ts";
import { readJsonBodies } from "./body.ts";
import { callerOf } from "./caller.ts";
import { failureEnvelope } from "./envelope.ts";
import { acceptAnyExpectation, type ListenerOptions, partIfStopping } from "./listener.ts";
import { checkReferenceOf, type OnceDeps, once } from "./once.ts";
import { asFailure } from "./problem.ts";
import { invalid } from "./schema.ts";
import { wordsFor } from "./words.ts";

const MAX_BODY_BYTES = 256 * 1024;
const PREFIX = "/api/v1";
/** More than Node takes in a request line; what is too long for a field is refused by its schema. */
const MAX_TARGET_LENGTH = 16_384;

declare module "fastify" {
  interface FastifyContextConfig {
    /** The scope a token needs for this route; CardAPIs unless said otherwise. */
    scope?: Scope;
  }
}

export interface ApiDeps extends AuthenticationDeps, OnceDeps {
  listener: ListenerOptions;
  answers: AnswerLog;
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

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** The listener of the API. Under /api/v1 every route is authenticated and works once per Reference. */
export function createApp(
  deps: ApiDeps,
  features: { open(app: App): void; authenticated(api: App): void },
): App {
  const guardOf: GuardOf = ({ scope }) => {
    return (request) => authenticate(deps, request, scope);
  };
  const app = openApp(deps, guardOf);
  limitStrangers(app, deps);
  features.open(app);
  app.setNotFoundHandler(() => Promise.reject(unknownPath()));
  mountApi(app, deps, guardOf, features.authenticated);
  return app;
}

type ListenerDeps = OnceDeps & { listener: ListenerOptions };

/** A listener whose failures are told in envelopes, and that has no routes yet. */
export function openApp(deps: ListenerDeps, guardOf: GuardOf): App {
  const guard = guardOf(STRAY);
  const app = Fastify({
    ...deps.listener,
    bodyLimit: MAX_BODY_BYTES,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: MAX_TARGET_LENGTH, ignoreTrailingSlash: false },
    frameworkErrors: (_error, request, reply) => refuseUnroutable(deps, guard, request, reply),
  }).withTypeProvider<ZodTypeProvider>() as unknown as App;
  acceptAnyExpectation(app.server);
  app.decorateRequest("receivedMs", 0);
  app.decorateRequest("routeUrl", undefined);
  app.decorateRequest("refusedFor", undefined);
  app.setErrorHandler((error, request, reply) => answerFailure(deps, error, request, reply));
  return app;
}

/** Puts the API's features on a listener, behind that listener's own guard. */
export function mountApi(
  app: App,
  deps: OnceDeps,
  guardOf: GuardOf,
  features: (api: App) => void,
  /** Whatever is to be done around every handler, while its request holds the turn of its Reference. */
  prepare: (api: App) => void = () => undefined,
): void {
  app.register(
    async (scope) => {
      const api = scope as unknown as App;
      readJsonBodies(api);
      validateWithZod(api);
      guardEverything(api, deps, guardOf);
      prepare(api);
      api.addHook("onRoute", (route) => {
        route.handler = once(deps, route.handler);
      });
      features(api);
    },
    { prefix: PREFIX },
  );
}

/** A load balancer may share its address with whoever floods us, and should not think us dead for it. */
const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** What is open to everyone is limited by address; under the prefix, authentication sees to that. */
function limitStrangers(app: App, deps: ApiDeps): void {
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.url.startsWith(`${PREFIX}/`) || PROBES.has(request.url)) return done();
    try {
      takeFromAddress(deps, request.ip);
      done();
    } catch (error) {
      done(error as Error);
    }
  });
}

function guardEverything(api: App, deps: OnceDeps, guardOf: GuardOf): void {
  api.decorateRequest("caller");
  // Each route knows its scope and path; asking Fastify for them would make a new object every time.
  api.addHook("onRoute", (route) => {
    const path = route.url.slice(PREFIX.length);
    const scope = route.config?.scope ?? "CardAPIs";
    const admit = admission(deps, guardOf({ method: String(route.method), path, scope }));
    const enter: Admission = (request, reply, done) => {
      request.routeUrl = route.url;
      admit(request, reply, done);
    };
    route.onRequest = [enter, ...[route.onRequest ?? []].flat()];
  });
  const admitStray = admission(deps, guardOf(STRAY));
  api.addHook("onRequest", (request, reply, done) => {
    if (request.is404) admitStray(request, reply, done);
    else done();
  });
  api.setErrorHandler(async (error, request, reply) => {
    if (request.caller === undefined || request.caller.handling) {
      return answerFailure(deps, error, request, reply);
    }
    await checkReferenceOf(deps, request);
    // Whatever else is wrong with a request to an unknown path, the path is what to mend first.
    return answerFailure(deps, request.is404 ? unknownPath() : error, request, reply);
  });
  // Declared inside, so that an unknown path is told to authenticated callers only.
  api.setNotFoundHandler(once(deps, () => Promise.reject(unknownPath())));
}

type Admission = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
) => void;

/** A path that no route has, which only those are told who may come in. */
const STRAY: GuardedRoute = { method: "GET", path: "*", scope: "CardAPIs" };

function admission(deps: OnceDeps, guard: Guard): Admission {
  return (request, _reply, done) => {
    deps.answers.received(request);
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

export function validateWithZod(api: App): void {
  api.setValidatorCompiler<z.ZodType>(({ schema }) => {
    const takesNothing = schema instanceof z.ZodObject && Object.keys(schema.shape).length === 0;
    return (input) => {
      // Most routes take no query, and most requests send none.
      if (takesNothing && isEmpty(input)) return { value: input };
      const result = schema.safeParse(input);
      if (result.success) return { value: result.data };
      // Only a request that is wrong pays for messages in our words.
      const { error = result.error } = schema.safeParse(input, { error: wordsFor });
      return { error: invalid(schema, input, error) };
    };
  });
  // Answers are typed where they are made; checking them again on the way out would only cost time.
  api.setSerializerCompiler(() => JSON.stringify);
}

function isEmpty(input: unknown): boolean {
  for (const _ in input as object) return false;
  return true;
}

/** A path that cannot even be decoded names nothing, which only authenticated callers are told. */
async function refuseUnroutable(
  deps: OnceDeps,
  guard: Guard,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  try {
    if (request.url.includes(`${PREFIX}/`)) {
      const identity = await guard(request);
      request.caller = callerOf(identity, request);
      await checkReferenceOf(deps, request);
    }
    throw badPath(request.url);
  } catch (error) {
    return answerFailure(deps, error, request, reply);
  }
}

/** What is no card id is told so, and asking after a Reference is never answered with 404. */
function badPath(url: string): Failure {
  const cardId = url.startsWith(CARDS) ? url.slice(CARDS.length).split(/[/?]/, 1)[0] : undefined;
  if (cardId !== undefined && !isDecodable(cardId)) return new Failure("INVALID_CARD_ID");
  if (!url.startsWith(`${PREFIX}/requests/`)) return unknownPath();
  return new Failure("INVALID_REQUEST", {
    errors: [{ field: "reference", message: "cannot be decoded" }],
  });
}

const CARDS = `${PREFIX}/cards/`;

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export function answerFailure(
  { answers }: Pick<OnceDeps, "answers">,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const failure = asFailure(error);
  const { httpStatus, code } = failure.response;
  if (failure.cause !== undefined) answers.failed(request, failure.cause, "the request failed");
  if (failure.retryAfterS !== undefined) reply.header("retry-after", failure.retryAfterS);
  answers.answered(request, httpStatus, code);
  partIfStopping(reply.raw);
  return reply.code(httpStatus).send(failureEnvelope(failure, request.id));
}

export const unknownPath = (): Failure => new Failure("UNABLE_TO_LOCATE_RECORD");
