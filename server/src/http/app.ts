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
import { API_PREFIX } from "./addresses.ts";
import { answerFailure } from "./answer-failure.ts";
import type { AnswerLog } from "./answer-log.ts";
import { type AuthenticationDeps, authenticate, takeFromAddress } from "./authenticate.ts";
import { readJsonBodies } from "./body.ts";
import { type Admission, admission, type GuardOf } from "./guard.ts";
import { acceptAnyExpectation, type ListenerOptions } from "./listener.ts";
import { checkReferenceOf, type OnceDeps, once } from "./once.ts";
import { refuseUnroutable, STRAY, unknownPath } from "./unroutable.ts";
import { validateWithZod } from "./validate.ts";

const MAX_BODY_BYTES = 256 * 1024;
/** More than Node takes in a request line; what is too long for a field is refused by its schema. */
const MAX_TARGET_LENGTH = 16_384;

export interface ApiDeps extends AuthenticationDeps, OnceDeps {
  listener: ListenerOptions;
  answers: AnswerLog;
}

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
  const app = openApp(deps, guardOf, limitStrangers(deps));
  features.open(app);
  app.setNotFoundHandler(() => Promise.reject(unknownPath()));
  mountApi(app, deps, guardOf, features.authenticated);
  return app;
}

type ListenerDeps = OnceDeps & { listener: ListenerOptions };

/** What a listener does first with every request, also where no route can be found; it may refuse one by throwing. */
export type Arrival = (request: FastifyRequest, reply: FastifyReply) => void;

/** A listener whose failures are answered as envelopes; it has no routes yet. */
export function openApp(deps: ListenerDeps, guardOf: GuardOf, arrive: Arrival): App {
  const guard = guardOf(STRAY);
  const app = Fastify({
    ...deps.listener,
    bodyLimit: MAX_BODY_BYTES,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: MAX_TARGET_LENGTH, ignoreTrailingSlash: false },
    // Fastify runs no hooks for these.
    frameworkErrors: (_error, request, reply) =>
      refuseUnroutable({ ...deps, arrive }, guard, request, reply),
  }).withTypeProvider<ZodTypeProvider>() as unknown as App;
  acceptAnyExpectation(app.server);
  app.decorateRequest("receivedMs", 0);
  app.decorateRequest("routeUrl", undefined);
  app.decorateRequest("refusedFor", undefined);
  app.setErrorHandler((error, request, reply) => answerFailure(deps, error, request, reply));
  app.addHook("onRequest", (request, reply, done) => {
    try {
      arrive(request, reply);
      done();
    } catch (error) {
      done(error as Error);
    }
  });
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
    { prefix: API_PREFIX },
  );
}

/** A load balancer may share its address with whoever floods us, and should not think us dead for it. */
const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** What is open to everyone is limited by address; under the prefix, authentication sees to that. */
function limitStrangers(deps: ApiDeps): Arrival {
  return (request) => {
    const { url } = request;
    if (!url.startsWith(`${API_PREFIX}/`) && !PROBES.has(url)) takeFromAddress(deps, request.ip);
  };
}

function guardEverything(api: App, deps: OnceDeps, guardOf: GuardOf): void {
  api.decorateRequest("caller");
  // Each route knows its scope and path; asking Fastify for them would make a new object every time.
  api.addHook("onRoute", (route) => {
    const path = route.url.slice(API_PREFIX.length);
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
  // Declared inside, so that only authenticated callers get a 404.
  api.setNotFoundHandler(once(deps, () => Promise.reject(unknownPath())));
}
