import { z } from "zod";
import { isId } from "../../foundation/ids.ts";
import { pageQuery, rangeQuery } from "../../http/pagination.ts";
import { cardId, id, line, pathId, timestamp } from "../../http/schema.ts";
import { eventTypes } from "../event-types.ts";
import type { AttemptRow, DeliveryRow } from "./delivery-store.ts";
import type { EventWithAttempts } from "./service.ts";
import type { EventRow } from "./store.ts";

export const EventPath = z.strictObject({ eventId: pathId("evt") });

const isPlace = (text: string): boolean => /^(0|[1-9]\d{0,17})$/.test(text);

export const EventsQuery = z
  .strictObject({
    ...pageQuery((text) => isId("evt", text) || isPlace(text)),
    ...rangeQuery,
    order: z
      .enum(["asc", "desc"])
      .default("desc")
      .meta({
        description:
          "`desc`: newest first. `asc`: a feed in the order of commits, which never skips; its nextCursor is " +
          "never null, and leads on once more has happened",
      }),
    type: z.enum(eventTypes, "must be a known event type").optional(),
    cardId: cardId.optional(),
    clientReference: line(200).optional(),
  })
  .refine(({ order, cursor }) => cursor === undefined || isPlace(cursor) === (order === "asc"), {
    path: ["cursor"],
    message: "must be the nextCursor of a page in the same order",
  });

const eventFields = {
  eventId: id("evt").meta({ description: "The same in every delivery; also its webhook-id" }),
  eventType: z.string().meta({ examples: ["transaction.authorized"] }),
  createdAt: timestamp,
  sequence: z
    .int()
    .nullable()
    .meta({ description: "Counts the events of a card without gaps; null without a card" }),
  clientReference: z.string().optional(),
  data: z
    .record(z.string(), z.unknown())
    .meta({ description: "What the type is about", examples: [{ currency: "USD", amount: 25.5 }] }),
};

export const EventView = z
  .strictObject(eventFields)
  .meta({ id: "Event", description: "Something that happened, as webhooks tell it" });

export const EventWithAttemptsView = z
  .strictObject({
    ...eventFields,
    attempts: z
      .strictObject({
        webhookEndpointId: id("whe"),
        at: timestamp,
        httpStatus: z
          .int()
          .nullable()
          .meta({ examples: [503] }),
        error: z
          .string()
          .optional()
          .meta({ examples: ["The connection was refused"] }),
        durationMs: z.int(),
      })
      .array()
      .meta({
        description: "The latest attempts of the last 30 days at delivering it, oldest first",
      }),
    deliveries: z
      .strictObject({
        webhookEndpointId: id("whe"),
        status: z.enum(["Pending", "Delivered", "Failed"]),
        nextAttemptAt: timestamp.optional(),
      })
      .array()
      .meta({ description: "How it stands with each endpoint that it was sent to" }),
  })
  .meta({ id: "EventWithAttempts", description: "An event and what became of its deliveries" });

export function eventOf(row: EventRow): z.infer<typeof EventView> {
  return {
    eventId: row.eventId,
    eventType: row.eventType,
    createdAt: row.createdAt.toISOString(),
    sequence: row.sequence === null ? null : Number(row.sequence),
    ...(row.clientReference === null ? {} : { clientReference: row.clientReference }),
    data: row.data,
  };
}

export function eventWithAttemptsOf({
  event,
  attempts,
  deliveries,
}: EventWithAttempts): z.infer<typeof EventWithAttemptsView> {
  return {
    ...eventOf(event),
    attempts: attempts.map(attemptOf),
    deliveries: deliveries.map(deliveryOf),
  };
}

function attemptOf({ webhookEndpointId, at, httpStatus, error, durationMs }: AttemptRow) {
  return {
    webhookEndpointId,
    at: at.toISOString(),
    httpStatus,
    ...(error === null ? {} : { error }),
    durationMs,
  };
}

function deliveryOf({ webhookEndpointId, status, nextAttemptAt }: DeliveryRow) {
  return {
    webhookEndpointId,
    status,
    ...(nextAttemptAt === null ? {} : { nextAttemptAt: nextAttemptAt.toISOString() }),
  };
}
