import type { GuardedAgent } from "../../outbound/agent.ts";
import type { Outcome } from "../../outbound/outcome.ts";
import { signedHeaders } from "../../outbound/signed-headers.ts";
import { ATTEMPT_TIMEOUT_MS } from "./delivery.ts";
import { bodyOf, type Message } from "./message.ts";
import type { Target } from "./targets.ts";

/** Nobody reads the answer's body; a short one is taken so that the connection can be used again. */
const MAX_RESPONSE_BYTES = 16 * 1024;

/** Sends a signed message. Endpoints share no connections, so that none waits for another, not even on one host. */
export function send(
  agent: GuardedAgent,
  target: Target,
  message: Message,
  pool = target.webhookEndpointId,
): Promise<Outcome> {
  const body = bodyOf(message);
  return agent.post(target.url, {
    headers: signedHeaders("Florin-Webhooks/1", { id: message.eventId, body }, target.signers),
    body,
    timeoutMs: ATTEMPT_TIMEOUT_MS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    pool,
  });
}
