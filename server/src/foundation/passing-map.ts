/**
 * A map for what comes and goes within moments, such as requests under way.
 *
 * A `Map` that is written to all the time replaces its table again and again, and each table it leaves behind keeps its
 * entries and points to the next. Once one of them is old, whatever collects young garbage takes all that follow it
 * for alive: everything that passes through such a map grows old with it, and is collected late, with long pauses.
 */
export class PassingMap<Value> {
  readonly #values: Record<string, Value> = Object.create(null);

  get(key: string): Value | undefined {
    return this.#values[key];
  }

  set(key: string, value: Value): void {
    this.#values[key] = value;
  }

  delete(key: string): void {
    delete this.#values[key];
  }
}
