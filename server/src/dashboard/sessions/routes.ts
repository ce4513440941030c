import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { sessionFrom } from "../access/guard.ts";
import { endSession, readSessions, type SessionDeps } from "./service.ts";
import { SessionPath, sessionOf } from "./wire.ts";

export function sessionRoutes(app: App, deps: SessionDeps): void {
  app.get("/sessions", { config: { access: "Person" } }, async (request) => {
    const session = sessionFrom(request);
    const rows = await readSessions(deps, session);
    return ok(rows.map((row) => sessionOf(row, session.sessionId)));
  });

  app.delete(
    "/sessions/:sessionId",
    { config: { access: "Person" }, schema: { params: SessionPath } },
    async (request) => {
      await endSession(deps, sessionFrom(request), request.params.sessionId, request.ip);
      return ok({});
    },
  );
}
