type Check = () => void;

/**
 * Streams that stay open for as long as their session lasts. When a session may have ended, the person's
 * streams look again, at what is committed by then: it does not matter which of the sessions it was.
 */
export class OpenStreams {
  readonly #checks = new Map<string, Set<Check>>();

  /** Joins a person's streams. Gives the function that leaves them again. */
  join(personId: string, check: Check): () => void {
    const checks = this.#checks.get(personId) ?? new Set();
    this.#checks.set(personId, checks);
    checks.add(check);
    return () => {
      checks.delete(check);
      if (checks.size === 0 && this.#checks.get(personId) === checks) this.#checks.delete(personId);
    };
  }

  /** To be called when the end of a session is committed. */
  recheck(personId: string): void {
    for (const check of this.#checks.get(personId) ?? []) check();
  }
}
