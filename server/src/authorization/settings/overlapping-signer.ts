import type { Clock } from "../../foundation/clock.ts";
import type { Signer } from "../../outbound/signer.ts";

/**
 * Signs with a secret, and with the one that it replaces until the overlap is over. It looks at the clock itself:
 * nothing changes in the database at that moment, so that nobody would be told to forget what it remembers.
 */
export class OverlappingSigner {
  readonly #current: Signer;
  readonly #previous: { signer: Signer; until: Date };
  readonly #clock: Clock;

  constructor(current: Signer, previous: { signer: Signer; until: Date }, clock: Clock) {
    this.#current = current;
    this.#previous = previous;
    this.#clock = clock;
  }

  /** The newer one's signature first; receivers take either. */
  sign(id: string, at: Date, body: string): string {
    const signature = this.#current.sign(id, at, body);
    const { signer, until } = this.#previous;
    // The overlap is in service time, which a sandbox can move; messages carry real time.
    if (until.getTime() <= this.#clock.nowMs()) return signature;
    return `${signature} ${signer.sign(id, at, body)}`;
  }
}
