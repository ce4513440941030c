import cookie from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { SharedStateFeed } from "../db/shared-state.ts";
import type { Config } from "../foundation/config/table.ts";
import type { TokenBuckets } from "../foundation/token-bucket.ts";
import type { Addresses } from "../http/addresses.ts";
import { type App, mountApi, openApp } from "../http/app.ts";
import { takeFromAddress } from "../http/authenticate.ts";
import { readJsonBodies } from "../http/body.ts";
import type { ListenerOptions } from "../http/listener.ts";
import type { OnceDeps } from "../http/once.ts";
import { validateWithZod } from "../http/validate.ts";
import type { Vault } from "../keys/vault.ts";
import { Cookies } from "./access/cookies.ts";
import { guardApi, guardBodies, guardDashboard } from "./access/guard.ts";
import { securityHeaders } from "./access/page-headers.ts";
import { TokenHashes } from "./access/token-hashes.ts";
import { wrapAnswers } from "./answers.ts";
import { auditWrites } from "./audit/people-writes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { authorizationTestRoutes } from "./authorization-test/routes.ts";
import type { AuthorizationTestDeps } from "./authorization-test/service.ts";
import { cardNameRoutes } from "./card-names/routes.ts";
import { clockRoutes } from "./clock/routes.ts";
import { credentialRoutes } from "./credentials/routes.ts";
import { deliveryRoutes } from "./deliveries/routes.ts";
import { fileRoutes, sendPage } from "./files/routes.ts";
import { homeRoutes } from "./home/routes.ts";
import type { HomeDeps } from "./home/service.ts";
import type { LiveFeed } from "./live/live-feed.ts";
import { liveRoutes } from "./live/routes.ts";
import { hasMailbox, type PostOffice } from "./mail/post-office.ts";
import { mailboxRoutes } from "./mail/routes.ts";
import { onboardingRoutes } from "./onboarding/routes.ts";
import { peopleRoutes } from "./people/routes.ts";
import { requestLogRoutes } from "./requests/routes.ts";
import { searchRoutes } from "./search/routes.ts";
import { OpenStreams } from "./sessions/open-streams.ts";
import { sessionRoutes } from "./sessions/routes.ts";
import { signInRoutes } from "./sign-in/routes.ts";
import { secondFactorRoutes } from "./sign-in/second-factor-routes.ts";
import { Throttle } from "./sign-in/throttle.ts";

export type DashboardDeps = OnceDeps &
  HomeDeps &
  AuthorizationTestDeps & {
    config: Config;
    vault: Vault;
    feed: SharedStateFeed;
    addresses: Addresses;
    listener: ListenerOptions;
    addressLimit: TokenBuckets;
    live: LiveFeed;
    postOffice: PostOffice;
  };

/**
 * The dashboard's listener: its page, its own routes under /dashboard, and the API's features under /api/v1,
 * both behind sessions and roles.
 */
export function createDashboard(deps: DashboardDeps, features: (api: App) => void): App {
  const own = {
    ...deps,
    hashes: new TokenHashes(deps.vault),
    cookies: new Cookies(deps.addresses),
    throttle: new Throttle(),
    streams: new OpenStreams(),
  };
  const guardOf = guardApi(own);
  const app = openApp(deps, guardOf, (request, reply) => arrive(deps, request, reply));
  app.register(cookie);
  app.decorateRequest("session", undefined);
  app.decorateRequest("deviceToken", undefined);
  fileRoutes(app);
  app.setNotFoundHandler(sendPage);
  mountApi(app, deps, guardOf, features, (api) => {
    settleReads(api);
    guardBodies(api, own);
    auditWrites(api, deps);
  });
  app.register(
    async (scope) => {
      const routes = scope as unknown as App;
      readJsonBodies(routes);
      validateWithZod(routes);
      guardDashboard(routes, own);
      wrapAnswers(routes, deps.answers);
      ownRoutes(routes, own);
    },
    { prefix: "/dashboard" },
  );
  return app;
}

function arrive(deps: DashboardDeps, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders(deps.addresses.dashboard));
  // By the route that was found: the same path may be written in many ways.
  const path = request.routeOptions.url ?? request.url;
  if (!/^\/(api|dashboard)\//.test(path)) return;
  reply.header("cache-control", "no-store");
  deps.answers.received(request);
  takeFromAddress(deps, request.ip);
}

type OwnDeps = DashboardDeps & {
  hashes: TokenHashes;
  cookies: Cookies;
  throttle: Throttle;
  streams: OpenStreams;
};

function ownRoutes(app: App, deps: OwnDeps): void {
  signInRoutes(app, deps);
  secondFactorRoutes(app, deps);
  onboardingRoutes(app, deps);
  sessionRoutes(app, deps);
  peopleRoutes(app, deps);
  auditRoutes(app, deps);
  credentialRoutes(app, deps);
  authorizationTestRoutes(app, deps);
  requestLogRoutes(app, deps);
  deliveryRoutes(app, deps);
  homeRoutes(app, deps);
  searchRoutes(app, deps);
  cardNameRoutes(app, deps);
  liveRoutes(app, deps);
  if (deps.config.isSandbox) clockRoutes(app, deps);
  if (hasMailbox(deps.config)) mailboxRoutes(app, deps);
}

/** Nobody repeats what a page reads, so that its References need not be remembered. */
function settleReads(api: App): void {
  api.addHook("preValidation", (request, _reply, done) => {
    if (request.method === "GET") request.caller.claim.settled = true;
    done();
  });
}
