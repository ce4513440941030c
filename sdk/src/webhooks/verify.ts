import { WebhookVerificationError } from "../errors.ts";
import type { WebhookEvent } from "./event.ts";
import {
  type HeadersLike,
  type RawBody,
  signPayload,
  type VerifyOptions,
  verifySignature,
} from "./signing.ts";

/**
 * The event that a webhook brings, if it is from Florin and from just now. Takes the body exactly as it
 * arrived, and one secret or, while one is replaced by another, several. Throws a
 * WebhookVerificationError otherwise: answer that with 400.
 */
export async function verifyWebhook(
  payload: RawBody,
  headers: HeadersLike,
  secret: string | readonly string[],
  options?: VerifyOptions,
): Promise<WebhookEvent> {
  const text = await verifySignature(payload, headers, secret, options);
  try {
    return JSON.parse(text) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError("The message is not JSON.");
  }
}

/** Webhooks need the endpoint's secret and no other credentials. */
export const webhooks = { verify: verifyWebhook, sign: signPayload } as const;
