import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { sessionFrom } from "../access/guard.ts";
import { permissionsOf } from "../access/roles.ts";
import { hasMailbox } from "../mail/post-office.ts";
import { csrfTokenOf, ensureDevice, enter } from "../sessions/service.ts";
import { beginEnrolment, confirmEnrolment } from "./enrolment.ts";
import {
  changePassword,
  findReset,
  forgetPassword,
  type PasswordDeps,
  resetPassword,
} from "./password-service.ts";
import { logIn, logOut, passSecondFactor } from "./service.ts";
import {
  CodeBody,
  ForgottenBody,
  LogInBody,
  PasswordBody,
  ResetBody,
  ResetQuery,
  SecondFactorBody,
} from "./wire.ts";

export type SignInRoutesDeps = PasswordDeps & {
  config: { isSandbox: boolean; smtpUrl: string | undefined };
};

export function signInRoutes(app: App, deps: SignInRoutesDeps): void {
  const anyone = { config: { access: "Anyone" } } as const;

  app.get("/me", anyone, async (request, reply) => {
    const { session } = request;
    ensureDevice(deps, request, reply);
    if (session === undefined && deps.cookies.read(request, "session") !== undefined) {
      deps.cookies.clear(reply, "session");
    }
    const { api, identity } = deps.addresses;
    return ok({
      state: session?.state ?? "None",
      csrfToken: csrfTokenOf(deps, request),
      environment: deps.config.isSandbox ? "sandbox" : "production",
      hasMailbox: hasMailbox(deps.config),
      addresses: { api, identity },
      ...(session === undefined ? {} : describeSession(session)),
    });
  });

  app.post("/log-in", { ...anyone, schema: { body: LogInBody } }, async (request, reply) => {
    const { token, state } = await logIn(deps, request, request.body);
    return ok(enter(deps, reply, token, state));
  });

  app.post(
    "/log-in/totp",
    { config: { access: "Totp" }, schema: { body: SecondFactorBody } },
    async (request, reply) => {
      const session = sessionFrom(request);
      const passed = await passSecondFactor(deps, request, session, request.body);
      const { token, state, ...told } = passed;
      return ok({ ...told, ...enter(deps, reply, token, state) });
    },
  );

  app.post("/totp/enrolment", { config: { access: "EnrolTotp" } }, async (request) =>
    ok(await beginEnrolment(deps, sessionFrom(request))),
  );

  app.post(
    "/totp/confirmation",
    { config: { access: "EnrolTotp" }, schema: { body: CodeBody } },
    async (request, reply) => {
      const { code } = request.body;
      const confirmed = await confirmEnrolment(deps, request, sessionFrom(request), code);
      const { token, state, recoveryCodes } = confirmed;
      return ok({ recoveryCodes, ...enter(deps, reply, token, state) });
    },
  );

  app.post("/log-out", anyone, async (request, reply) => {
    await logOut(deps, request);
    deps.cookies.clear(reply, "session");
    return ok({});
  });

  app.post(
    "/password/forgotten",
    { ...anyone, schema: { body: ForgottenBody } },
    async ({ body, ip }) => {
      forgetPassword(deps, body.email, ip);
      return ok({ sent: true });
    },
  );

  app.get(
    "/password/reset",
    { ...anyone, schema: { querystring: ResetQuery } },
    async ({ query }) => {
      // Says only that the link still works, not whose it is.
      await findReset(deps, query.token);
      return ok({});
    },
  );

  app.post(
    "/password/reset",
    { ...anyone, schema: { body: ResetBody } },
    async (request, reply) => {
      const { token, state } = await resetPassword(deps, request, request.body);
      return ok(enter(deps, reply, token, state));
    },
  );

  app.post(
    "/password",
    { config: { access: "Person" }, schema: { body: PasswordBody } },
    async (request, reply) => {
      const session = sessionFrom(request);
      const { token, state } = await changePassword(deps, request, session, request.body);
      const { csrfToken } = enter(deps, reply, token, state);
      return ok({ csrfToken });
    },
  );
}

/** Whose session it is, is told only once the second factor, if there is one, was given. */
function describeSession(session: ReturnType<typeof sessionFrom>) {
  if (session.state === "Totp") return {};
  const { personId, name, email, role, organizationId, organizationName } = session;
  return {
    person: { personId, name, email, role },
    organization: { organizationId, name: organizationName },
    permissions: session.state === "Full" ? permissionsOf(role) : [],
  };
}
