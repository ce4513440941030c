import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { sessionFrom } from "../access/guard.ts";
import { type AuthorizationTestDeps, testAuthorizationUrl } from "./service.ts";

export function authorizationTestRoutes(app: App, deps: AuthorizationTestDeps): void {
  app.post(
    "/authorization-test",
    { config: { access: "authorization-settings" } },
    async (request) => ok(await testAuthorizationUrl(deps, sessionFrom(request), request.ip)),
  );
}
