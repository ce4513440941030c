import { TokenBuckets } from "./token-bucket.ts";

/** Lines a second, and at once, that one cause may fill the log with. */
const LINES_PER_S = 1;
const LINES_AT_ONCE = 20;
const MAX_CAUSES = 1_000;

/** Keeps what goes wrong many times for one cause, as a lost database or a bad peer, from filling the log. */
export class Complaints {
  readonly #lines: TokenBuckets;

  constructor(nowMs = () => performance.now()) {
    this.#lines = new TokenBuckets({
      ratePerS: LINES_PER_S,
      burst: LINES_AT_ONCE,
      maxKeys: MAX_CAUSES,
      nowMs,
    });
  }

  /** Whether there is to be another line about this cause. */
  mayTell(cause: string): boolean {
    return this.#lines.take(cause).ok;
  }
}
