/** A set of what comes and goes within moments; not a `Set`, for the same reason as PassingMap is no `Map`. */
export class PassingSet<Item extends object> {
  readonly #places: (Item | undefined)[] = [];
  readonly #free: number[] = [];

  /** Gives what takes the item out again; it may be called more than once. */
  add(item: Item): () => void {
    const place = this.#free.pop() ?? this.#places.length;
    this.#places[place] = item;
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.#places[place] = undefined;
      this.#free.push(place);
    };
  }

  get size(): number {
    return this.#places.length - this.#free.length;
  }

  /** Those that are in now. */
  items(): Item[] {
    return this.#places.filter((item) => item !== undefined);
  }
}
