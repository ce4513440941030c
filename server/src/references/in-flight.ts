import { PassingMap } from "../foundation/passing-map.ts";
import type { Claim } from "./claim.ts";

interface Turn {
  claim: Claim;
  /** Called at the end of the turn; most turns end with nobody waiting. */
  waiting: (() => void)[] | undefined;
}

/**
 * References whose requests this process is working on. Two requests with one Reference take turns:
 * the second waits for the first and then finds its outcome.
 */
export class InFlight {
  readonly #turns = new PassingMap<Turn>();

  find(clientId: string, reference: string): Claim | undefined {
    return this.#turns.get(key({ clientId, reference }))?.claim;
  }

  /** Runs `work` when no other request with this Reference is under way here. */
  async takeTurn<T>(claim: Claim, work: () => Promise<T>): Promise<T> {
    const id = key(claim);
    for (let turn = this.#turns.get(id); turn !== undefined; turn = this.#turns.get(id)) {
      await endOf(turn);
    }
    const turn: Turn = { claim, waiting: undefined };
    this.#turns.set(id, turn);
    try {
      return await work();
    } finally {
      this.#turns.delete(id);
      for (const proceed of turn.waiting ?? []) proceed();
    }
  }
}

function endOf(turn: Turn): Promise<void> {
  return new Promise((resolve) => {
    turn.waiting ??= [];
    turn.waiting.push(resolve);
  });
}

const key = ({ clientId, reference }: Pick<Claim, "clientId" | "reference">): string =>
  `${clientId} ${reference}`;
