import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { sessionFrom } from "../access/guard.ts";
import { enter } from "../sessions/service.ts";
import { invite, readInvitations, uninvite } from "./invitations.ts";
import { type OnboardingDeps, readRegistration, register, signUp } from "./service.ts";
import {
  InvitationBody,
  InvitationPath,
  invitationOf,
  RegistrationBody,
  RegistrationQuery,
  registrationOf,
  SignUpBody,
} from "./wire.ts";

export function onboardingRoutes(app: App, deps: OnboardingDeps): void {
  const anyone = { config: { access: "Anyone" } } as const;
  const owners = { config: { access: "people" } } as const;

  app.post("/sign-up", { ...anyone, schema: { body: SignUpBody } }, async ({ body, ip }) => {
    signUp(deps, body, ip);
    return ok({ sent: true });
  });

  app.get(
    "/registration",
    { ...anyone, schema: { querystring: RegistrationQuery } },
    async ({ query }) => ok(registrationOf(await readRegistration(deps, query.token))),
  );

  app.post(
    "/registration",
    { ...anyone, schema: { body: RegistrationBody } },
    async (request, reply) => {
      const token = await register(deps, request, request.body);
      return ok(enter(deps, reply, token, "EnrolTotp"));
    },
  );

  app.get("/invitations", owners, async (request) => {
    const rows = await readInvitations(deps, sessionFrom(request).organizationId);
    return ok(rows.map(invitationOf));
  });

  app.post("/invitations", { ...owners, schema: { body: InvitationBody } }, async (request) =>
    ok(invitationOf(await invite(deps, sessionFrom(request), request.body, request.ip))),
  );

  app.delete(
    "/invitations/:invitationId",
    { ...owners, schema: { params: InvitationPath } },
    async (request) => {
      const { params, ip } = request;
      await uninvite(deps, sessionFrom(request), params.invitationId, ip);
      return ok({});
    },
  );
}
