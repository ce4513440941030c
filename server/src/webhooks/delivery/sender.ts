import type { GuardedAgent } from "../../outbound/agent.ts";
import type { Outcome } from "../../outbound/outcome.ts";
import { ATTEMPT_TIMEOUT_MS } from "./delivery.ts";
import { bodyOf, type Message } from "./message.ts";
import type { Target } from "./targets.ts";

/** Nobody reads the answer's body; a short one is taken so that the connection can be used again. */
const MAX_RESPONSE_BYTES = 16 * 1024;

/**
 * Sends a message as Standard Webhooks has it. The time is real: receivers compare it with theirs.
 * Endpoints share no connections, so that none waits for another, not even on one host.
 */
export function send(
  agent: GuardedAgent,
  target: Target,
  message: Message,
  pool = target.webhookEndpointId,
): Promise<Outcome> {
  const body = bodyOf(message);
  const at = new Date();
  const signatures = target.signers.map((signer) => signer.sign(message.eventId, at, body));
  return agent.post(target.url, {
    headers: {
      "content-type": "application/json",
      "user-agent": "Florin-Webhooks/1",
      "webhook-id": message.eventId,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": signatures.join(" "),
    },
    body,
    timeoutMs: ATTEMPT_TIMEOUT_MS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    pool,
  });
}
