import { z } from "zod";
import type { Pool } from "../../db/pool.ts";
import { searchInTurn } from "../../db/searches.ts";
import { finalityOf } from "../../foundation/codes.ts";
import { isId } from "../../foundation/ids.ts";
import type { App } from "../../http/app.ts";
import { pageOf, pageQuery } from "../../http/pagination.ts";
import { sessionFrom } from "../access/guard.ts";
import { type LoggedRequest, listRequests } from "./store.ts";

const RequestsQuery = z.strictObject({
  ...pageQuery((text) => isId("req", text)),
  code: z
    .string()
    .regex(/^\d{3}$/, "must be a responseCode")
    .optional(),
  outcome: z.enum(["Succeeded", "Failed"]).optional(),
});

const requestOf = (row: LoggedRequest) => ({
  requestId: row.requestId,
  at: row.at.toISOString(),
  method: row.method,
  path: row.path,
  reference: row.reference,
  responseCode: row.responseCode,
  finality: finalityOf(row.responseCode),
  httpStatus: row.httpStatus,
  durationMs: Math.round(row.durationMs * 10) / 10,
});

export function requestLogRoutes(app: App, { pool }: { pool: Pool }): void {
  app.get(
    "/requests",
    { config: { access: "requests" }, schema: { querystring: RequestsQuery } },
    async (request) => {
      const { limit, cursor, ...filter } = request.query;
      const page = { limit, cursor };
      const { organizationId } = sessionFrom(request);
      const rows = await searchInTurn(pool, organizationId, () =>
        listRequests(pool, organizationId, filter, page),
      );
      return pageOf(rows, page, ({ requestId }) => requestId, requestOf);
    },
  );
}
