import { AbortedError, ConnectionError, type FlorinError, TimeoutError } from "./errors.ts";
import { onAbort } from "./on-abort.ts";

/** Ends what it is given to when time is up or the caller wants no more, whichever comes first. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #unfollow: () => void;
  #isTimedOut = false;

  constructor(timeoutMs: number, outer?: AbortSignal) {
    this.#outer = outer;
    this.#timer = setTimeout(() => {
      this.#isTimedOut = true;
      this.#controller.abort();
    }, timeoutMs);
    this.#unfollow = onAbort(outer, ({ reason }) => this.#controller.abort(reason));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** From here on only the caller can end it. */
  stopClock(): void {
    clearTimeout(this.#timer);
  }

  /** Stops watching, once nothing is left to be ended. */
  close(): void {
    this.stopClock();
    this.#unfollow();
  }

  /** What the failure of something under this deadline means. */
  explain(cause: unknown, reference?: string): FlorinError {
    if (this.#outer?.aborted) return aborted(this.#outer, reference);
    if (this.#isTimedOut)
      return new TimeoutError({ message: "No whole answer came in time.", reference });
    return new ConnectionError({
      message: `No whole answer came: ${reasonIn(cause)}.`,
      reference,
      cause,
    });
  }
}

/** fetch only says that it failed; the innermost cause says why. */
function reasonIn(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  const { message = "", code = "" } =
    inner instanceof Error ? (inner as { code?: unknown } & Error) : {};
  return message || (typeof code === "string" && code) || "the connection failed";
}

function aborted(signal: AbortSignal, reference?: string): AbortedError {
  return new AbortedError({
    message: "The call was ended by its signal.",
    reference,
    cause: signal.reason,
  });
}

/** Waits, unless the caller wants no more. */
export function pause(delayMs: number, signal?: AbortSignal, reference?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      unfollow();
      resolve();
    }, delayMs);
    const unfollow = onAbort(signal, (ended) => {
      clearTimeout(timer);
      reject(aborted(ended, reference));
    });
  });
}

/** The promise, or its rejection as soon as the signal ends it. Others may still wait for the promise. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let unfollow: () => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    unfollow = onAbort(signal, ({ reason }) => reject(reason));
  });
  try {
    return await Promise.race([promise, ended]);
  } finally {
    unfollow();
  }
}
