export interface CircuitBreakerOptions {
  /** Faults in a row that open the circuit. */
  maxFaults: number;
  /** How long it stays open at first; it doubles with every probe that fails, up to `maxOpenMs`. */
  openMs: number;
  maxOpenMs: number;
  /** Monotonic, so that a moved clock neither opens nor closes anything. */
  nowMs: () => number;
  /** Which errors speak against the other side. Others are neither its fault nor its merit. */
  isFault(error: unknown): boolean;
}

/** The other side failed so often that it is not asked for now. */
export class CircuitOpen extends Error {
  override readonly name = "CircuitOpen";

  constructor() {
    super("The circuit is open after repeated faults");
  }
}

type State = "Closed" | "Open" | "HalfOpen";

/**
 * Spares a failing partner requests and our callers the wait. Closed: all pass. Open: none pass. When
 * the time is over, one request at a time probes: success closes the circuit, a fault opens it again.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  #state: State = "Closed";
  #faults = 0;
  #openMs: number;
  #openUntilMs = 0;
  #probing = false;
  /** Changes with the state: what was asked under an older one says nothing about this one. */
  #generation = 0;

  constructor(options: CircuitBreakerOptions) {
    this.#options = options;
    this.#openMs = options.openMs;
  }

  get state(): State {
    this.#follow();
    return this.#state;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#follow();
    if (this.#state === "Open" || this.#probing) throw new CircuitOpen();
    const generation = this.#generation;
    const isProbe = this.#state === "HalfOpen";
    this.#probing = isProbe;
    try {
      const result = await work();
      if (generation === this.#generation) this.#close();
      return result;
    } catch (error) {
      if (generation === this.#generation && this.#options.isFault(error)) this.#fault();
      throw error;
    } finally {
      if (isProbe) this.#probing = false;
    }
  }

  #follow(): void {
    if (this.#state === "Open" && this.#options.nowMs() >= this.#openUntilMs)
      this.#enter("HalfOpen");
  }

  #close(): void {
    this.#faults = 0;
    this.#openMs = this.#options.openMs;
    if (this.#state !== "Closed") this.#enter("Closed");
  }

  #fault(): void {
    this.#faults += 1;
    const failedProbe = this.#state === "HalfOpen";
    if (!failedProbe && this.#faults < this.#options.maxFaults) return;
    if (failedProbe) this.#openMs = Math.min(this.#openMs * 2, this.#options.maxOpenMs);
    this.#openUntilMs = this.#options.nowMs() + this.#openMs;
    this.#enter("Open");
  }

  #enter(state: State): void {
    this.#state = state;
    this.#generation += 1;
  }
}
