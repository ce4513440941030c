import type { Message } from "../iso8583/fields.ts";

/**
 * What is under way of each payment, by its card and its DE 37. A completion or a refund goes by what is on record
 * of its payment, so it lets those go first that came before it, on whichever connection. Others need not: a
 * purchase follows nothing, and a reversal that overtakes its original is kept for it.
 */
export class Predecessors {
  /** Of each payment, when all that came so far is done. */
  readonly #last = new Map<string, Promise<void>>();

  /** How many payments have something under way. */
  get size(): number {
    return this.#last.size;
  }

  /** Runs what a message asks for, if need be after what came before it. */
  run<Result>({ mti, fields }: Message, work: () => Promise<Result>): Promise<Result> {
    const { 2: pan, 37: retrieval } = fields;
    if (pan === undefined || retrieval === undefined) return work();
    const payment = `${pan} ${retrieval}`;
    const before = this.#last.get(payment);
    const result = before !== undefined && mti.startsWith("022") ? before.then(work) : work();
    const done = this.#settled(result, before).then(() => {
      if (this.#last.get(payment) === done) this.#last.delete(payment);
    });
    this.#last.set(payment, done);
    return result;
  }

  async #settled(result: Promise<unknown>, before: Promise<void> | undefined): Promise<void> {
    // Whoever sent it hears of its failure; those behind it only need to know that it is over.
    await result.catch(() => undefined);
    await before;
  }
}
