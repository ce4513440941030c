import { newId } from "../../foundation/ids.ts";
import { isAcknowledged } from "../delivery/result.ts";
import { send } from "../delivery/sender.ts";
import { TEST_EVENT_TYPE } from "../event-types.ts";
import { type EndpointDeps, readEndpoint } from "./service.ts";

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
  organizationId: string,
  webhookEndpointId: string,
): Promise<TestDelivery> {
  const { clock, webhooks } = deps;
  const endpoint = await readEndpoint(deps, organizationId, webhookEndpointId);
  const at = clock.now();
  const eventId = newId("evt", at.getTime());
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
