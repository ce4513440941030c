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

/** In real time: what a worker has taken and not finished by then is anybody's again. */
export const LEASE_MS = 30_000;

/** What one attempt may take, the answer's last byte included. */
export const ATTEMPT_TIMEOUT_MS = 10_000;
