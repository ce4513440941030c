import type { Claim } from "./claim.ts";

interface Turn {
  claim: Claim;
  finished: Promise<void>;
}

/**
 * References whose requests this process is working on. Two requests with one Reference take turns:
 * the second waits for the first and then finds its outcome.
 */
export class InFlight {
  readonly #turns = new Map<string, Turn>();

  find(clientId: string, reference: string): Claim | undefined {
    return this.#turns.get(key({ clientId, reference }))?.claim;
  }

  /** Runs `work` when no other request with this Reference is under way here. */
  async takeTurn<T>(claim: Claim, work: () => Promise<T>): Promise<T> {
    const id = key(claim);
    for (let turn = this.#turns.get(id); turn !== undefined; turn = this.#turns.get(id)) {
      await turn.finished;
    }
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    this.#turns.set(id, { claim, finished });
    try {
      return await work();
    } finally {
      this.#turns.delete(id);
      finish();
    }
  }
}

const key = ({ clientId, reference }: Pick<Claim, "clientId" | "reference">): string =>
  `${clientId} ${reference}`;
