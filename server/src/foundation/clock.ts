/**
 * The service's time. Limits, expiry, References, tokens and retries follow it, and a sandbox can move
 * it forward. What must follow the real world (leases, rate limits, webhook timestamps) does not ask here.
 */
export interface Clock {
  now(): Date;
  nowMs(): number;
}

export class ServiceClock implements Clock {
  #offsetMs = 0;

  now(): Date {
    return new Date(this.nowMs());
  }

  nowMs(): number {
    return Date.now() + this.#offsetMs;
  }

  /** Takes over the offset that all processes share. It only grows, so a late reading never turns time back. */
  follow(offsetMs: number): void {
    if (offsetMs > this.#offsetMs) this.#offsetMs = offsetMs;
  }
}
