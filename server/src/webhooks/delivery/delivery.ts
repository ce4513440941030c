import type { Message } from "./message.ts";

export interface EndpointKey {
  organizationId: string;
  webhookEndpointId: string;
}

/** An endpoint that may have work. */
export interface Candidate extends EndpointKey {
  /** Whether the last that was heard of it is bad. */
  isFailing: boolean;
}

/** An event on its way to an endpoint. */
export interface Delivery extends EndpointKey, Message {
  /** Attempts that have failed so far. */
  attempts: number;
}

/**
 * Kept in place of the attempts that have failed while an event is on its way and somebody wants it sent anew: it is
 * free, with all its attempts, when the one under way is over, however that ends.
 */
export const TO_BE_SENT_ANEW = -1;

/** In real time: what a worker has taken and not finished by then is anybody's again. */
export const LEASE_MS = 30_000;

/** What one attempt may take, the answer's last byte included. */
export const ATTEMPT_TIMEOUT_MS = 10_000;
