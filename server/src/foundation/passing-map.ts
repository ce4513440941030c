interface Entry<Value> {
  key: string;
  value: Value;
  next: Entry<Value> | undefined;
}

const BUCKETS = 256;
/** As much of a key's end as is looked at to find its bucket. */
const TELLING_CHARACTERS = 8;

/**
 * A map for what comes and goes within moments, such as requests under way.
 *
 * A `Map` that is written to all the time replaces its table again and again, and each table it leaves behind keeps its
 * entries and points to the next. Once one of them is old, whatever collects young garbage takes all that follow it
 * for alive: everything that passes through such a map grows old with it, and is collected late, with long pauses.
 * An object keeps a copy of every key it ever had among the old, which is less, but as late. So the entries are linked
 * here, and one that leaves lets go of the next.
 */
export class PassingMap<Value> {
  readonly #buckets = new Array<Entry<Value> | undefined>(BUCKETS).fill(undefined);

  get(key: string): Value | undefined {
    return this.#find(key)?.value;
  }

  set(key: string, value: Value): void {
    const found = this.#find(key);
    if (found !== undefined) found.value = value;
    else {
      const bucket = bucketOf(key);
      this.#buckets[bucket] = { key, value, next: this.#buckets[bucket] };
    }
  }

  delete(key: string): void {
    const bucket = bucketOf(key);
    let before: Entry<Value> | undefined;
    for (let entry = this.#buckets[bucket]; entry !== undefined; entry = entry.next) {
      if (entry.key === key) {
        if (before === undefined) this.#buckets[bucket] = entry.next;
        else before.next = entry.next;
        entry.next = undefined;
        return;
      }
      before = entry;
    }
  }

  #find(key: string): Entry<Value> | undefined {
    let entry = this.#buckets[bucketOf(key)];
    while (entry !== undefined && entry.key !== key) entry = entry.next;
    return entry;
  }
}

function bucketOf(key: string): number {
  let hash = 0;
  for (let i = Math.max(0, key.length - TELLING_CHARACTERS); i < key.length; i++) {
    hash = (hash * 31 + key.charCodeAt(i)) | 0;
  }
  return hash & (BUCKETS - 1);
}
