import { z } from "zod";
import { isId } from "../../foundation/ids.ts";
import { pageQuery } from "../../http/pagination.ts";
import { type Delivery, deliveryStatuses } from "./store.ts";

export const DeliveriesPath = z.strictObject({ webhookEndpointId: z.string().max(100) });

export const DeliveriesQuery = z.strictObject({
  ...pageQuery((text) => isId("evt", text)),
  status: z.enum(deliveryStatuses).optional(),
});

export const viewOf = ({ nextAttemptAt, lastAttempt, ...rest }: Delivery) => ({
  ...rest,
  nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
  lastAttempt: lastAttempt && { ...lastAttempt, at: new Date(lastAttempt.at).toISOString() },
});
