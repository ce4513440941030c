export interface Page<Item> {
  data: Item[];
  /** Where the next page begins; null at the end. */
  nextCursor: string | null;
}

/** All that a filter matches, fetched page by page as it is read: `for await (const card of list)`. */
export class List<Item> implements AsyncIterable<Item> {
  readonly #read: (cursor: string | undefined) => Promise<Page<Item>>;
  readonly #start: string | undefined;

  constructor(read: (cursor: string | undefined) => Promise<Page<Item>>, start?: string) {
    this.#read = read;
    this.#start = start;
  }

  /** One page: the first, or the one at the `cursor` that was asked for. */
  page(): Promise<Page<Item>> {
    return this.#read(this.#start);
  }

  async *pages(): AsyncGenerator<Page<Item>, void> {
    let cursor = this.#start;
    for (;;) {
      const page = await this.#read(cursor);
      yield page;
      // A feed always has a next cursor; it has been read to its end when that leads nowhere.
      const isFeedAtItsEnd = page.data.length === 0 && page.nextCursor === cursor;
      if (page.nextCursor === null || isFeedAtItsEnd) return;
      cursor = page.nextCursor;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for await (const { data } of this.pages()) yield* data;
  }

  /** The first `most` of them, in an array. */
  async toArray(most = Number.POSITIVE_INFINITY): Promise<Item[]> {
    const items: Item[] = [];
    if (most <= 0) return items;
    for await (const item of this) {
      if (items.push(item) >= most) break;
    }
    return items;
  }
}
