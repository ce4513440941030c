import { z } from "zod";
import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { scopes } from "../../identity/scopes.ts";
import { sessionFrom } from "../access/guard.ts";
import {
  type CredentialDeps,
  changeDefaultScopes,
  readCredentials,
  revealSecret,
  rotateSecret,
  rotateSigningSecret,
} from "./service.ts";

const MAX_OVERLAP_HOURS = 168;
/** As long as an operator may choose: who verifies messages may be another team, or a supplier. */
const MAX_SIGNING_OVERLAP_HOURS = 720;

const RotateBody = z.strictObject({ overlapHours: z.number().min(0).max(MAX_OVERLAP_HOURS) });
const RotateSigningBody = z.strictObject({
  overlapHours: z.number().min(0).max(MAX_SIGNING_OVERLAP_HOURS),
});
const ScopesBody = z.strictObject({
  defaultScopes: z
    .enum(scopes)
    .array()
    .min(1)
    .max(scopes.length)
    .refine((list) => new Set(list).size === list.length, "must not name a scope twice"),
});

export function credentialRoutes(app: App, deps: CredentialDeps): void {
  const access = { config: { access: "credentials" } } as const;

  app.get("/credentials", access, async (request) =>
    ok(await readCredentials(deps, sessionFrom(request).organizationId)),
  );

  app.post("/credentials/reveal", access, async (request) =>
    ok(await revealSecret(deps, sessionFrom(request), request.ip)),
  );

  app.post("/credentials/rotate", { ...access, schema: { body: RotateBody } }, async (request) => {
    const { overlapHours } = request.body;
    return ok(await rotateSecret(deps, sessionFrom(request), overlapHours, request.ip));
  });

  const rotateSigning = { ...access, schema: { body: RotateSigningBody } };
  app.post("/credentials/signing-secret/rotate", rotateSigning, async (request) => {
    const { overlapHours } = request.body;
    return ok(await rotateSigningSecret(deps, sessionFrom(request), overlapHours, request.ip));
  });

  app.put("/credentials/scopes", { ...access, schema: { body: ScopesBody } }, async (request) => {
    const { defaultScopes } = request.body;
    return ok(await changeDefaultScopes(deps, sessionFrom(request), defaultScopes, request.ip));
  });
}
