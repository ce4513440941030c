/** What tells when the next request is to be sent. */
export interface Supply {
  /** Since when the next request has been due; none while none is. */
  take(nowMs: number): number | undefined;
  /** Whether no more will come. */
  isOver(nowMs: number): boolean;
  /** Whether an answer at this time still counts. */
  counts(nowMs: number): boolean;
}

/** A closed loop: whoever was answered asks again, until the time is over. */
export class ClosedLoop implements Supply {
  readonly #endMs: number;

  constructor(startMs: number, seconds: number) {
    this.#endMs = startMs + seconds * 1_000;
  }

  take(nowMs: number): number | undefined {
    return nowMs < this.#endMs ? nowMs : undefined;
  }

  isOver(nowMs: number): boolean {
    return nowMs >= this.#endMs;
  }

  counts(nowMs: number): boolean {
    return nowMs < this.#endMs;
  }
}

/**
 * An open loop: requests are due at even intervals, whatever becomes of those before. One that is taken
 * late was due all the same, so that time spent in a queue shows in its latency.
 */
export class OpenLoop implements Supply {
  readonly total: number;
  readonly #startMs: number;
  readonly #intervalMs: number;
  #taken = 0;

  constructor(startMs: number, { perSecond, seconds }: { perSecond: number; seconds: number }) {
    this.total = Math.max(1, Math.round(perSecond * seconds));
    this.#startMs = startMs;
    this.#intervalMs = 1_000 / perSecond;
  }

  take(nowMs: number): number | undefined {
    const dueMs = this.#startMs + this.#taken * this.#intervalMs;
    if (this.isOver() || dueMs > nowMs) return undefined;
    this.#taken++;
    return dueMs;
  }

  isOver(): boolean {
    return this.#taken >= this.total;
  }

  counts(): boolean {
    return true;
  }
}
