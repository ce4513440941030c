import { Failure } from "../../foundation/failure.ts";
import { TokenBuckets } from "../../foundation/token-bucket.ts";

/** For those who may not see a CVV: enough to try a card out, too few to find the CVV by trying them all. */
const LIMITS = { burst: 20, ratePerS: 1 / 3_600, maxKeys: 100_000 };

/** Counts the tries of each card, whichever listener they come by. */
export class CvvTries {
  readonly #buckets = new TokenBuckets({ ...LIMITS, nowMs: () => performance.now() });

  /** Refuses one too many (170). */
  take(organizationId: string, cardId: string): void {
    const allowance = this.#buckets.take(`${organizationId} ${cardId}`);
    if (allowance.ok) return;
    throw new Failure("NO_ACTION_TAKEN", {
      message: "Too many dry runs with a CVV on this card; CardSecrets is needed for more",
      retryAfterS: allowance.retryAfterS,
    });
  }
}
