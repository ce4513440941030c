import type { Pool } from "../../db/pool.ts";
import type { App } from "../../http/app.ts";
import { sessionFrom } from "../access/guard.ts";
import { readDeliveries } from "./service.ts";
import { DeliveriesPath, DeliveriesQuery } from "./wire.ts";

export function deliveryRoutes(app: App, deps: { pool: Pool }): void {
  app.get(
    "/webhook-endpoints/:webhookEndpointId/deliveries",
    {
      config: { access: "Person" },
      schema: { params: DeliveriesPath, querystring: DeliveriesQuery },
    },
    async (request) => {
      const { organizationId } = sessionFrom(request);
      const { webhookEndpointId } = request.params;
      return readDeliveries(deps, { organizationId, webhookEndpointId }, request.query);
    },
  );
}
