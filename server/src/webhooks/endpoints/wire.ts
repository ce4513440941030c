import { z } from "zod";
import { parseTimestamp } from "../../foundation/dates.ts";
import { isId } from "../../foundation/ids.ts";
import { pageQuery } from "../../http/pagination.ts";
import { id, pathId, timestamp } from "../../http/schema.ts";
import { eventTypes } from "../event-types.ts";
import type { EndpointWithSecret } from "./service.ts";
import type { Endpoint } from "./store.ts";
import type { TestDelivery } from "./test-delivery.ts";

export const EndpointPath = z.strictObject({ webhookEndpointId: pathId("whe") });

export const EndpointsQuery = z.strictObject(pageQuery((text) => isId("whe", text)));

const url = z.string().meta({
  description:
    "Where to send events: http or https, without user and password; in production https and a public " +
    "address only",
  examples: ["https://hooks.example.com/florin"],
});

const wantedTypes = z
  .enum(eventTypes, "must be a known event type")
  .array()
  .max(eventTypes.length)
  .meta({
    description: "The types of events to send; none means all",
    examples: [["transaction.authorized", "transaction.declined"]],
  });

const status = z.enum(["Enabled", "Disabled"]);

export const NewEndpointBody = z.strictObject({ url, eventTypes: wantedTypes.default([]) });

export const ChangeEndpointBody = z
  .strictObject({ url, eventTypes: wantedTypes, status })
  .partial()
  .refine((change) => Object.keys(change).length > 0, "must change something")
  .meta({ examples: [{ eventTypes: [], status: "Enabled" }] });

export const RecoverBody = z.strictObject({
  since: z
    .string()
    .max(40)
    .meta({
      description: "Events from this date or time on",
      examples: ["2026-01-31T12:00:00.000Z"],
    })
    .transform((text, context) => {
      const moment = parseTimestamp(text);
      if (moment !== undefined) return moment;
      context.addIssue({ code: "custom", message: "must be a date or a time in ISO 8601" });
      return z.NEVER;
    }),
});

/** For operations that need nothing but the endpoint they are sent to. */
export const NoBody = z.strictObject({}).nullish();

const endpointFields = {
  webhookEndpointId: id("whe"),
  url,
  eventTypes: wantedTypes,
  status: status.meta({ description: "A disabled endpoint is sent nothing" }),
  createdAt: timestamp,
};

export const WebhookEndpoint = z
  .strictObject(endpointFields)
  .meta({ id: "WebhookEndpoint", description: "Where events are sent" });

export const WebhookEndpointWithSecret = z
  .strictObject({
    ...endpointFields,
    secret: z.string().meta({
      description: "Signs every message, as Standard Webhooks has it. Shown now and never again",
      examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw5f3bmhTE3ik="],
    }),
  })
  .meta({
    id: "WebhookEndpointWithSecret",
    description: "An endpoint with the secret that signs what is sent to it",
  });

export const TestDeliveryView = z
  .strictObject({
    eventId: id("evt").meta({ description: "The webhook-id of the message" }),
    webhookEndpointId: id("whe"),
    at: timestamp,
    acknowledged: z.boolean().meta({ description: "Whether the answer was a 2xx" }),
    httpStatus: z
      .int()
      .nullable()
      .meta({ examples: [200] }),
    error: z
      .string()
      .optional()
      .meta({ examples: ["The connection was refused"] }),
    durationMs: z.int(),
  })
  .meta({ id: "TestDelivery", description: "What came of a message that was sent to try" });

export function endpointOf(endpoint: Endpoint): z.infer<typeof WebhookEndpoint> {
  return {
    webhookEndpointId: endpoint.webhookEndpointId,
    url: endpoint.url,
    eventTypes: endpoint.eventTypes,
    status: endpoint.status,
    createdAt: endpoint.createdAt.toISOString(),
  };
}

export function endpointWithSecretOf({
  endpoint,
  secret,
}: EndpointWithSecret): z.infer<typeof WebhookEndpointWithSecret> {
  return { ...endpointOf(endpoint), secret };
}

export function testDeliveryOf(tested: TestDelivery): z.infer<typeof TestDeliveryView> {
  return {
    eventId: tested.eventId,
    webhookEndpointId: tested.webhookEndpointId,
    at: tested.at.toISOString(),
    acknowledged: tested.isAcknowledged,
    httpStatus: tested.httpStatus,
    ...(tested.error === null ? {} : { error: tested.error }),
    durationMs: tested.durationMs,
  };
}
