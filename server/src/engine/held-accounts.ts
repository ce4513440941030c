import type { Job } from "./batch.ts";

/** For how long an account stays marked where nobody tries it again. */
const MARKED_MS = 30_000;

/**
 * The accounts whose locks could not be had in time, because a session that hangs keeps them. Work on these is
 * kept out of batches, so that it holds up nobody else.
 */
export class HeldAccounts {
  readonly #markedUntilMs = new Map<string, number>();

  /** Whether a job needs one of them. */
  concern(job: Job): boolean {
    if (this.#markedUntilMs.size === 0) return false;
    const nowMs = performance.now();
    try {
      return keysOf(job).some((key) => (this.#markedUntilMs.get(key) ?? 0) > nowMs);
    } catch {
      // Its batch will fail for the same reason, and then run it alone.
      return false;
    }
  }

  mark(job: Job): void {
    const nowMs = performance.now();
    for (const [key, untilMs] of this.#markedUntilMs) {
      if (untilMs <= nowMs) this.#markedUntilMs.delete(key);
    }
    for (const key of keysOf(job)) this.#markedUntilMs.set(key, nowMs + MARKED_MS);
  }

  /** A job that got its locks shows that they can be had again. */
  clear(job: Job): void {
    for (const key of keysOf(job)) this.#markedUntilMs.delete(key);
  }
}

const keysOf = ({ operation, organizationId, input }: Job): string[] =>
  operation.accounts(input).map((accountId) => `${organizationId} ${accountId}`);
