import type { Pool } from "../../db/pool.ts";
import { searchInTurn } from "../../db/searches.ts";
import { Failure } from "../../foundation/failure.ts";
import { isId } from "../../foundation/ids.ts";
import type { Ok } from "../../http/envelope.ts";
import { type Page, pageOf, writeCursor } from "../../http/pagination.ts";
import { findEndpoint } from "../../webhooks/endpoints/store.ts";
import { type Delivery, type DeliveryStatus, listDeliveries } from "./store.ts";
import { viewOf } from "./wire.ts";

interface DeliveriesQuery extends Page {
  status?: DeliveryStatus | undefined;
}

/** What was sent to one of an organization's endpoints, and what became of it. */
export async function readDeliveries(
  { pool }: { pool: Pool },
  endpoint: { organizationId: string; webhookEndpointId: string },
  { status, ...page }: DeliveriesQuery,
): Promise<Ok<ReturnType<typeof viewOf>[]>> {
  const { organizationId, webhookEndpointId } = endpoint;
  const isKnown =
    isId("whe", webhookEndpointId) &&
    (await findEndpoint(pool, organizationId, webhookEndpointId)) !== undefined;
  if (!isKnown) throw new Failure("UNABLE_TO_LOCATE_RECORD");
  const { rows, lookedUntil } = await searchInTurn(pool, organizationId, () =>
    listDeliveries(pool, endpoint, status, page),
  );
  const answer = pageOf(rows, page, ({ eventId }: Delivery) => eventId, viewOf);
  if (lookedUntil === null || rows.length > page.limit) return answer;
  return { ...answer, pagination: { limit: page.limit, nextCursor: writeCursor(lookedUntil) } };
}
