import { constants } from "node:os";

/** What must be undone however the benchmark ends: processes, databases, directories. */
export class Cleanup {
  readonly #steps: (() => Promise<void>)[] = [];
  #isOver = false;

  /** Gives a function that takes the step now instead of at the end. */
  add(step: () => Promise<void>): () => Promise<void> {
    let taken: Promise<void> | undefined;
    const once = (): Promise<void> => {
      taken ??= step();
      return taken;
    };
    // Work may still be under way when the cleaning begins; what it makes then is undone at once.
    if (this.#isOver) void once();
    else this.#steps.push(once);
    return once;
  }

  /** In the reverse order, each whatever became of the others. */
  async run(): Promise<void> {
    this.#isOver = true;
    for (const step of this.#steps.splice(0).reverse()) {
      await step().catch((error: unknown) => console.error("bench: cleaning up:", error));
    }
  }
}

export class Interrupted extends Error {
  readonly exitCode: number;
  constructor(signal: NodeJS.Signals) {
    super(signal);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/**
 * Fails with the first signal that asks us to stop. Others are ignored: a terminal's Ctrl-C arrives
 * twice, because npm passes its own on, and the cleaning takes bounded time.
 */
export function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => reject(new Interrupted(signal)));
    }
  });
}
