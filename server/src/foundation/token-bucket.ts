type Allowance = { readonly ok: true } | { readonly ok: false; readonly retryAfterS: number };

type TokenBucketOptions = {
  /** Tokens that come back each second; 0 switches limiting off. */
  readonly ratePerS: number;
  /** Tokens of a full bucket, and so the most that can be taken at once. */
  readonly burst: number;
  readonly maxKeys: number;
  /** A clock that never goes back, such as `performance.now`. */
  readonly nowMs: () => number;
};

const ALLOWED: Allowance = { ok: true };

/** Sums of fractions of a millisecond are not exact, and the last token of a burst is due too. */
const ROUNDING_MS = 0.001;

/** How many of the oldest buckets are looked at when there must be room for another. */
const EVICTION_SAMPLE = 8;

/**
 * One token bucket per key. A bucket is kept only as the time at which it will be full again: this
 * is all there is to know, and a bucket that is full needs no memory at all.
 */
export class TokenBuckets {
  readonly #options: TokenBucketOptions;
  readonly #msPerToken: number;
  /** In the order of the last take, so that the first are the most likely to be full. */
  readonly #fullAtMs = new Map<string, number>();

  constructor(options: TokenBucketOptions) {
    this.#options = options;
    this.#msPerToken = 1000 / options.ratePerS;
  }

  take(key: string, cost = 1): Allowance {
    const nowMs = this.#options.nowMs();
    const allowance = this.#allowance(key, cost, nowMs);
    if (allowance.ok && this.#options.ratePerS > 0) this.#drain(key, cost, nowMs);
    return allowance;
  }

  /** Says what `take` of one would say, and takes nothing. */
  peek(key: string): Allowance {
    return this.#allowance(key, 1, this.#options.nowMs());
  }

  get size(): number {
    return this.#fullAtMs.size;
  }

  #allowance(key: string, cost: number, nowMs: number): Allowance {
    const { ratePerS, burst } = this.#options;
    if (ratePerS <= 0) return ALLOWED;
    const fullInMs = Math.max(0, (this.#fullAtMs.get(key) ?? nowMs) - nowMs);
    const waitMs = fullInMs + (cost - burst) * this.#msPerToken;
    if (waitMs <= ROUNDING_MS) return ALLOWED;
    return { ok: false, retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) };
  }

  #drain(key: string, cost: number, nowMs: number): void {
    const fullAtMs = Math.max(this.#fullAtMs.get(key) ?? nowMs, nowMs) + cost * this.#msPerToken;
    const isNew = !this.#fullAtMs.delete(key);
    if (isNew) this.#makeRoom(nowMs);
    this.#fullAtMs.set(key, fullAtMs);
  }

  /**
   * Forgets the full ones among the oldest buckets, since a full bucket is as good as none. Without
   * any, the fullest goes: whoever floods with new keys pushes out these, not a key that is limited.
   */
  #makeRoom(nowMs: number): void {
    let fullest: string | undefined;
    let fullestAtMs = Number.POSITIVE_INFINITY;
    let seen = 0;
    for (const [key, fullAtMs] of this.#fullAtMs) {
      if (++seen > EVICTION_SAMPLE) break;
      if (fullAtMs <= nowMs) this.#fullAtMs.delete(key);
      else if (fullAtMs < fullestAtMs) [fullest, fullestAtMs] = [key, fullAtMs];
    }
    if (this.#fullAtMs.size < this.#options.maxKeys || fullest === undefined) return;
    this.#fullAtMs.delete(fullest);
  }
}
