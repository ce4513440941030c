/** Remembers what it is given last: when it is full, the oldest entry goes. */
export class BoundedMap<Key, Value> {
  readonly #maxEntries: number;
  readonly #entries = new Map<Key, Value>();

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    if (this.#entries.size >= this.#maxEntries && !this.#entries.has(key)) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    this.#entries.set(key, value);
  }
}
