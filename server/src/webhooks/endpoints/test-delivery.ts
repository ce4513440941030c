import { newId } from "../../foundation/ids.ts";
import type { Caller } from "../../http/caller.ts";
import { isAcknowledged } from "../../outbound/outcome.ts";
import { onceAroundCall } from "../../references/once-around-call.ts";
import { send } from "../delivery/sender.ts";
import { TEST_EVENT_TYPE } from "../event-types.ts";
import { type EndpointDeps, readEndpoint } from "./service.ts";
import type { Endpoint } from "./store.ts";

export interface TestDelivery {
  eventId: string;
  webhookEndpointId: string;
  at: Date;
  isAcknowledged: boolean;
  httpStatus: number | null;
  error: string | null;
  durationMs: number;
}

/** Sends a message that tells of nothing, now and once, and says what came of it. */
export async function testEndpoint(
  deps: EndpointDeps,
  { organizationId, claim }: Caller,
  webhookEndpointId: string,
): Promise<TestDelivery> {
  const endpoint = await readEndpoint(deps, organizationId, webhookEndpointId);
  return onceAroundCall(deps, claim, {
    newResourceId: () => newId("evt", deps.clock.nowMs()),
    ask: (eventId) => sendTest(deps, endpoint, eventId),
    record: async (_tx, delivery) => delivery,
  });
}

async function sendTest(
  { clock, webhooks }: EndpointDeps,
  endpoint: Endpoint,
  eventId: string,
): Promise<TestDelivery> {
  const { webhookEndpointId } = endpoint;
  const at = clock.now();
  const message = {
    eventId,
    eventType: TEST_EVENT_TYPE,
    createdAt: at,
    sequence: null,
    clientReference: null,
    dataJson: JSON.stringify({ webhookEndpointId }),
  };
  const target = await webhooks.targets.open(endpoint);
  // It does not wait for the endpoint's deliveries, nor they for it.
  const outcome = await send(webhooks.agent, target, message, `test ${webhookEndpointId}`);
  return {
    eventId,
    webhookEndpointId,
    at,
    isAcknowledged: isAcknowledged(outcome),
    httpStatus: outcome.status ?? null,
    error: outcome.isAnswer ? null : outcome.message,
    durationMs: Math.round(outcome.durationMs),
  };
}
