import type { Download } from "./attempt.ts";

/** A CSV file on its way: read it piece by piece with `for await`, or whole with `text()`. Once. */
export class Csv implements AsyncIterable<string> {
  readonly #open: () => Promise<Download>;

  constructor(open: () => Promise<Download>) {
    this.#open = open;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void> {
    const { response, deadline } = await this.#open();
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    try {
      for (;;) {
        const next = await reader?.read();
        if (next === undefined || next.done) return;
        yield next.value;
      }
    } catch (error) {
      throw deadline.explain(error);
    } finally {
      // Whoever stops reading wants no more of it.
      await reader?.cancel().catch(() => undefined);
      deadline.close();
    }
  }

  async text(): Promise<string> {
    let text = "";
    for await (const piece of this) text += piece;
    return text;
  }
}
