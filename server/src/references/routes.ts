import { z } from "zod";
import type { App } from "../http/app.ts";
import { ok } from "../http/envelope.ts";
import { describe } from "../http/openapi.ts";
import { timestamp } from "../http/schema.ts";
import { REFERENCE_PATTERN } from "./claim.ts";
import type { InFlight } from "./in-flight.ts";
import { describeRequest, type ReferenceDeps } from "./service.ts";

const RequestOutcome = z
  .strictObject({
    reference: z.string(),
    state: z.enum(["InProgress", "Succeeded", "Failed", "Unknown"]),
    method: z.string().nullable(),
    path: z.string().nullable(),
    httpStatus: z.int().nullable(),
    responseCode: z.string().nullable(),
    resourceId: z.string().nullable(),
    completedAt: timestamp.nullable(),
  })
  .meta({ id: "RequestOutcome", description: "What became of an earlier request" });

const ReadRequest = describe({
  operationId: "readRequest",
  tag: "Requests",
  summary: "Find the outcome of a request",
  description:
    "For a client that lost an answer: what became of the request with this Reference in the last 24 hours. " +
    "Unknown means that it has left no trace yet: send it again with the same Reference.",
  params: z.strictObject({
    reference: z
      .string()
      .regex(REFERENCE_PATTERN, "must be 1 to 30 printable ASCII characters without spaces")
      .meta({
        description: "The Reference of the request you ask about",
        examples: ["order-4711"],
      }),
  }),
  data: RequestOutcome,
});

export interface RequestDeps extends ReferenceDeps {
  inFlight: InFlight;
}

export function requestRoutes(api: App, deps: RequestDeps): void {
  api.get("/requests/:reference", { schema: ReadRequest }, async ({ caller, params }) =>
    ok(await describeRequest(deps, caller.clientId, params.reference)),
  );
}
