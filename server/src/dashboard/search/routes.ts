import { z } from "zod";
import type { Pool } from "../../db/pool.ts";
import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { line } from "../../http/schema.ts";
import { sessionFrom } from "../access/guard.ts";
import { search } from "./service.ts";

const SearchQuery = z.strictObject({ q: line(100) });

export function searchRoutes(app: App, deps: { pool: Pool }): void {
  app.get(
    "/search",
    { config: { access: "Person" }, schema: { querystring: SearchQuery } },
    async (request) => ok(await search(deps, sessionFrom(request).organizationId, request.query.q)),
  );
}
