import { PassingMap } from "../../foundation/passing-map.ts";

/** Lets work under the same name take turns, so that the second finds what the first did. */
export class Turns {
  readonly #last = new PassingMap<Promise<unknown>>();

  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name);
    const mine = before === undefined ? work() : before.then(work, work);
    this.#last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    }
  }
}
