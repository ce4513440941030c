import type { Pool } from "../../db/pool.ts";
import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { sessionFrom } from "../access/guard.ts";
import { findCardNames } from "./store.ts";
import { CardNamesQuery } from "./wire.ts";

/** A row of the API has its card's id only, and a page of rows had better ask once than for each. */
export function cardNameRoutes(app: App, { pool }: { pool: Pool }): void {
  app.get(
    "/card-names",
    { config: { access: "Person" }, schema: { querystring: CardNamesQuery } },
    async (request) => {
      const { organizationId } = sessionFrom(request);
      return ok(await findCardNames(pool, organizationId, request.query.cardIds));
    },
  );
}
