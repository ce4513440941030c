import { isIP } from "node:net";
import { Pool } from "undici";
import { PassingSet } from "../foundation/passing-set.ts";
import { within } from "../foundation/within.ts";
import type { Reach } from "./address.ts";
import { addressProblem } from "./address.ts";
import { guardedConnector } from "./connect.ts";
import { Exchange } from "./exchange.ts";
import { Names, type Resolve } from "./names.ts";
import { Abandoned, failed, type Outcome } from "./outcome.ts";
import { hostOf, readUrl } from "./url.ts";

const IDLE_POOL_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
const CHECK_PATIENCE_MS = 2_000;
const MAX_KNOWN = 10_000;

export interface GuardedAgentOptions {
  reach: Reach;
  /** Connections, and so requests under way, of one pool. */
  connectionsPerPool: number;
  /** How long an idle connection is kept, unless the other side says less. */
  keepAliveMs?: number;
  connectTimeoutMs?: number;
  /** Certificate authorities besides the usual ones. */
  ca?: string;
  resolve?: Resolve;
}

export interface PostOptions {
  headers: Record<string, string>;
  body: string | Buffer;
  /** For the whole exchange, from the call to the last byte of the answer. */
  timeoutMs: number;
  /** Longer than `timeoutMs`: a time-out comes with `late`, which tells until then what came after it. */
  lateMs?: number;
  /** What is longer is cut off, and the connection with it. */
  maxResponseBytes: number;
  /** Requests of one pool share connections and nothing else, so that pools do not wait for each other. */
  pool: string;
}

/** An address that may be called, taken apart. */
interface Destination {
  origin: string;
  target: string;
}

interface Lane {
  pool: Pool;
  exchanges: PassingSet<Exchange>;
  usedAtMs: number;
}

/**
 * Calls addresses that others have chosen. It connects only to where it may, follows no redirect, reads
 * no more than it is told, and always has an outcome in time. It never throws.
 */
export class GuardedAgent {
  readonly #options: GuardedAgentOptions;
  readonly #resolve: Resolve;
  readonly #lanes = new Map<string, Lane>();
  readonly #known = new Map<string, Destination>();
  readonly #sweep: NodeJS.Timeout;
  #stopped = false;

  constructor(options: GuardedAgentOptions) {
    this.#options = options;
    this.#resolve = options.resolve ?? new Names().resolve;
    this.#sweep = setInterval(() => this.#closeIdle(), IDLE_POOL_MS / 2).unref();
  }

  post(address: string, options: PostOptions): Promise<Outcome> {
    const url = this.#known.get(address) ?? this.#read(address);
    if (url === undefined) return Promise.resolve(failed("RefusedAddress", 0));
    if (this.#stopped) return Promise.resolve(failed("Stopped", 0));
    const lane = this.#laneOf(`${options.pool} ${url.origin}`, url.origin);
    if (lane.exchanges.size >= this.#options.connectionsPerPool) {
      return Promise.resolve(failed("Overloaded", 0));
    }
    const exchange = new Exchange({
      timeoutMs: options.timeoutMs,
      lateMs: () => options.lateMs ?? options.timeoutMs,
      maxResponseBytes: options.maxResponseBytes,
      onEnd: () => leave(),
    });
    const leave = lane.exchanges.add(exchange);
    lane.pool.dispatch(
      {
        method: "POST",
        path: url.target,
        headers: options.headers,
        body: options.body,
      },
      exchange,
    );
    return exchange.outcome;
  }

  /**
   * What is wrong with an address, as far as can be told before it is called: a name that nobody
   * answers for now may be answered for later.
   */
  async problemOf(address: string): Promise<string | undefined> {
    const { reach } = this.#options;
    const read = readUrl(address, reach);
    if ("problem" in read) return read.problem;
    const host = hostOf(read.url);
    if (isIP(host) !== 0) return undefined;
    const known = await within(CHECK_PATIENCE_MS, this.#resolve(host)).catch(() => []);
    return known.map((found) => addressProblem(found.address, reach)).find((p) => p !== undefined);
  }

  /** Ends what is under way at once. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#sweep);
    const lanes = [...this.#lanes.values()];
    this.#lanes.clear();
    for (const { exchanges } of lanes) {
      for (const exchange of exchanges.items()) exchange.abandon(new Abandoned("Stopped"));
    }
    await Promise.all(lanes.map(({ pool }) => pool.destroy()));
  }

  /** Most addresses are called again and again, and reading one takes longer than finding it. */
  #read(address: string): Destination | undefined {
    const read = readUrl(address, this.#options.reach);
    if ("problem" in read) return undefined;
    const { origin, pathname, search } = read.url;
    const destination = { origin, target: pathname + search };
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(address, destination);
    return destination;
  }

  #laneOf(key: string, origin: string): Lane {
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = { pool: this.#openPool(origin), exchanges: new PassingSet(), usedAtMs: 0 };
      this.#lanes.set(key, lane);
    }
    lane.usedAtMs = performance.now();
    return lane;
  }

  #openPool(origin: string): Pool {
    const { reach, connectionsPerPool, keepAliveMs, connectTimeoutMs, ca } = this.#options;
    return new Pool(origin, {
      connections: connectionsPerPool,
      pipelining: 1,
      connect: guardedConnector({
        reach,
        resolve: this.#resolve,
        connectTimeoutMs: connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
        ca,
      }),
      // An exchange has a deadline of its own, to the millisecond.
      headersTimeout: 0,
      bodyTimeout: 0,
      ...(keepAliveMs === undefined ? {} : { keepAliveTimeout: keepAliveMs }),
    });
  }

  #closeIdle(): void {
    const idleSinceMs = performance.now() - IDLE_POOL_MS;
    for (const [key, { pool, exchanges, usedAtMs }] of this.#lanes) {
      if (exchanges.size > 0 || usedAtMs > idleSinceMs) continue;
      this.#lanes.delete(key);
      pool.close().catch(() => undefined);
    }
  }
}
