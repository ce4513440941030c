import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { sessionFrom } from "../access/guard.ts";
import { enter } from "../sessions/service.ts";
import type { PasswordDeps } from "./password-service.ts";
import {
  beginReplacement,
  confirmReplacement,
  readSecondFactor,
  renewRecoveryCodes,
} from "./renewal.ts";
import { ReplacementBody, SecondFactorBody } from "./wire.ts";

/** What a person who is signed in does about the second factor. */
export function secondFactorRoutes(app: App, deps: PasswordDeps): void {
  const person = { config: { access: "Person" } } as const;

  app.get("/second-factor", person, async (request) =>
    ok(await readSecondFactor(deps, sessionFrom(request))),
  );

  app.post(
    "/recovery-codes",
    { ...person, schema: { body: SecondFactorBody } },
    async (request, reply) => {
      const renewed = await renewRecoveryCodes(deps, request, sessionFrom(request), request.body);
      const { token, state, recoveryCodes } = renewed;
      return ok({ recoveryCodes, ...enter(deps, reply, token, state) });
    },
  );

  app.post(
    "/totp/replacement",
    { ...person, schema: { body: SecondFactorBody } },
    async (request) =>
      ok(await beginReplacement(deps, request, sessionFrom(request), request.body)),
  );

  app.post(
    "/totp/replacement/confirmation",
    { ...person, schema: { body: ReplacementBody } },
    async (request, reply) => {
      const session = sessionFrom(request);
      const { token, state } = await confirmReplacement(deps, request, session, request.body);
      return ok(enter(deps, reply, token, state));
    },
  );
}
