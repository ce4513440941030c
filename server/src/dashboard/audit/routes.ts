import { z } from "zod";
import type { Pool } from "../../db/pool.ts";
import { isId } from "../../foundation/ids.ts";
import type { App } from "../../http/app.ts";
import { pageQuery } from "../../http/pagination.ts";
import { id } from "../../http/schema.ts";
import { sessionFrom } from "../access/guard.ts";
import { readAudit } from "./service.ts";

const AuditQuery = z.strictObject({
  ...pageQuery((text) => isId("aud", text)),
  personId: id("per").optional(),
});

export function auditRoutes(app: App, deps: { pool: Pool }): void {
  app.get(
    "/audit",
    { config: { access: "audit" }, schema: { querystring: AuditQuery } },
    async (request) => readAudit(deps, sessionFrom(request).organizationId, request.query),
  );
}
