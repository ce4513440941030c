import type { FastifyReply, FastifyRequest } from "fastify";
import { Failure } from "../../foundation/failure.ts";
import { newId } from "../../foundation/ids.ts";
import type { Addresses } from "../../http/addresses.ts";
import type { App } from "../../http/app.ts";
import type { Identity } from "../../http/authenticate.ts";
import { wantsCsv } from "../../http/csv.ts";
import type { Guard, GuardOf } from "../../http/guard.ts";
import { readReference } from "../../references/claim.ts";
import { recognize, refuseForged, type SessionDeps } from "../sessions/service.ts";
import type { Session, SessionState } from "../sessions/session.ts";
import { permissionsFor, permissionsForBody } from "./api-permissions.ts";
import { refuseOtherNames, refuseOtherSites } from "./origin.ts";
import { may, type Permission, permissions } from "./roles.ts";

/**
 * Who may use a route of the dashboard: anyone; whoever has come so far with signing in; any person who is
 * signed in; or those whose role has a permission.
 */
export type Access = "Anyone" | Exclude<SessionState, "Full"> | "Person" | Permission;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Needed on every route of the dashboard's own. */
    access?: Access;
  }
}

export type GuardDeps = SessionDeps & {
  addresses: Addresses;
  config: { host: string; isSandbox: boolean };
};

/** Guards every route that is declared from here on. One without a word about its access stops the start. */
export function guardDashboard(app: App, deps: GuardDeps): void {
  app.addHook("onRoute", (route) => {
    const access = route.config?.access;
    if (access === undefined) throw new Error(`${route.url} does not say who may use it.`);
    const guard = async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
      request.routeUrl = route.url;
      await identify(deps, request);
      admit(request.session, access);
    };
    const guardAgain = async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
      await lookAgain(deps, request);
      admit(request.session, access);
    };
    route.onRequest = [guard, ...[route.onRequest ?? []].flat()];
    route.preHandler = [guardAgain, ...[route.preHandler ?? []].flat()];
  });
}

/** Guards the API's routes: a person with a session stands where a client with five headers does. */
export function guardApi(deps: GuardDeps): GuardOf {
  return (route): Guard => {
    const needed = permissionsFor(route);
    return async (request) => {
      await identify(deps, request);
      for (const access of ["Person", ...needed] as const) admit(request.session, access);
      if (wantsCsv(request.headers.accept)) admit(request.session, "export");
      return identityOf(request);
    };
  };
}

/**
 * Guards the API's routes once more when the body is there, which may show that another permission is needed, on
 * routes that are declared from here on.
 */
export function guardBodies(api: App, deps: GuardDeps): void {
  api.addHook("onRoute", (route) => {
    const path = route.url.slice(route.prefix.length);
    const needed = permissionsFor({ method: String(route.method), path });
    const guard = async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
      await lookAgain(deps, request);
      const wanted = ["Person", ...needed, ...permissionsForBody(needed, request.body)] as const;
      for (const access of wanted) admit(request.session, access);
    };
    route.preHandler = [guard, ...[route.preHandler ?? []].flat()];
  });
}

async function identify(deps: GuardDeps, request: FastifyRequest): Promise<void> {
  refuseOtherNames(request, deps.config, deps.addresses.dashboard);
  await recognize(deps, request);
  if (request.method === "GET") return;
  refuseOtherSites(request, deps.addresses.dashboard);
  refuseForged(deps, request);
}

/** A body may take its time: the session may have ended since it began to come, or the role be another. */
async function lookAgain(deps: GuardDeps, request: FastifyRequest): Promise<void> {
  if (request.method !== "GET") await recognize(deps, request);
}

const granted = new Set<string>(permissions);
const isPermission = (access: Access): access is Permission => granted.has(access);

/** Refuses whoever may not do this; what a role may do is read afresh with every request. */
function admit(session: Session | undefined, access: Access): void {
  if (access === "Anyone") return;
  const state = access === "Totp" || access === "EnrolTotp" ? access : "Full";
  if (session === undefined || session.state !== state) {
    throw new Failure("AUTHENTICATION_FAILED", { message: "Log in first" });
  }
  if (!session.isEnabled) throw new Failure("ORGANIZATION_DISABLED");
  if (isPermission(access) && !may(session.role, access)) {
    throw new Failure("UNAUTHORIZED", { message: "Your role does not allow this" });
  }
}

/** What is done by a person is idempotent for that person. */
function identityOf(request: FastifyRequest): Identity {
  const { organizationId, personId, role } = sessionFrom(request);
  const reference = referenceOf(request);
  return {
    organizationId,
    clientId: personId,
    reference,
    maySeeSecrets: may(role, "cards.reveal"),
  };
}

function referenceOf({ method, headers }: FastifyRequest): string {
  if (method === "GET") return newId("req", Date.now());
  return readReference(headers.reference);
}

/** The session that a guard has let in. */
export function sessionFrom({ session }: FastifyRequest): Session {
  if (session === undefined) throw new Error("A route without a session asked for one.");
  return session;
}
