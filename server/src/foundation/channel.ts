import { briefly } from "./log.ts";

/** One end of what joins two threads, or two processes. */
export interface Port {
  postMessage(message: Message): void;
  on(event: "message", listener: (message: Message) => void): unknown;
}

/** A call, with a number if an answer is wanted; or the answer. */
type Message =
  | { call: string; args: unknown[]; number?: number }
  | { answers: number; value?: unknown; error?: unknown };

/** The names of functions that the other side may call. */
type Name<Functions> = keyof Functions & string;
type Arguments<F> = F extends (...args: infer Args) => unknown ? Args : never;
type Result<F> = F extends (...args: never[]) => infer Value ? Awaited<Value> : never;

interface Caller {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Lets two threads, or two processes, call functions of each other. What goes over it is copied. */
export class Channel<Theirs> {
  readonly #port: Port;
  readonly #callers = new Map<number, Caller>();
  #lastNumber = 0;
  #closedBy: Error | undefined;

  constructor(port: Port, ours: object) {
    this.#port = port;
    port.on("message", (message) => {
      if ("answers" in message) this.#settle(message);
      else this.#run(ours as Record<string, (...args: unknown[]) => unknown>, message);
    });
  }

  /** Calls and waits for the answer. */
  call<N extends Name<Theirs>>(name: N, ...args: Arguments<Theirs[N]>): Promise<Result<Theirs[N]>> {
    if (this.#closedBy !== undefined) return Promise.reject(this.#closedBy);
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    return new Promise((resolve, reject) => {
      this.#callers.set(number, { resolve: resolve as Caller["resolve"], reject });
      this.#port.postMessage({ call: name, args, number });
    });
  }

  /** Calls and does not wait. */
  tell<N extends Name<Theirs>>(name: N, ...args: Arguments<Theirs[N]>): void {
    this.#port.postMessage({ call: name, args });
  }

  /** Nobody is there any more: whoever waits for an answer gets this reason instead. */
  close(reason: Error): void {
    this.#closedBy = reason;
    for (const { reject } of this.#callers.values()) reject(reason);
    this.#callers.clear();
  }

  #run(
    ours: Record<string, (...args: unknown[]) => unknown>,
    { call, args, number }: Extract<Message, { call: string }>,
  ): void {
    if (number === undefined) {
      ours[call]?.(...args);
      return;
    }
    new Promise((resolve) => resolve(ours[call]?.(...args)))
      .then((value) => this.#port.postMessage({ answers: number, value }))
      .catch((error: unknown) => this.#port.postMessage({ answers: number, error: bare(error) }));
  }

  #settle(answer: Extract<Message, { answers: number }>): void {
    const caller = this.#callers.get(answer.answers);
    this.#callers.delete(answer.answers);
    if ("error" in answer) caller?.reject(answer.error);
    else caller?.resolve(answer.value);
  }
}

/** An error as it can be copied, whatever it carries with it. */
function bare(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const { name, stack } = error;
  return Object.assign(new Error(briefly(error)), { name, stack });
}
