import type { FlorinError } from "./errors.ts";

/** What a client needs to know of its service. A sandbox's `sandbox.json` has all that is required. */
export interface FlorinOptions {
  /**
   * The address of the API, such as `http://127.0.0.1:4000`, exactly as the service knows it, with or without
   * the `/api/v1` that all calls have.
   */
  apiUrl: string;
  /** The address of the identity server, such as `http://127.0.0.1:4001`. */
  identityUrl: string;
  clientId: string;
  clientSecret: string;
  uniqueKey: string;
  /** The scopes to ask for; without it, the client's default ones. */
  scope?: string | undefined;
  /** How long one attempt may take, token and answer included. 30,000 unless given. */
  timeoutMs?: number | undefined;
  /** How often an attempt that got no final answer is repeated. 4 unless given. */
  maxRetries?: number | undefined;
  /** About how long to wait before the first retry; each further wait is twice as long. 250 unless given. */
  backoffMs?: number | undefined;
  /** Instead of the runtime's own. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Called before each attempt. What hooks throw is ignored. */
  onRequest?: ((sent: SentRequest) => void) | undefined;
  /** Called after each attempt that got an answer. */
  onResponse?: ((received: ReceivedResponse) => void) | undefined;
  /** Called before the wait for the next attempt. */
  onRetry?: ((retry: Retry) => void) | undefined;
}

/** What may be said for one call. */
export interface CallOptions {
  /**
   * The call's Reference: 1 to 30 printable ASCII characters without spaces, one per operation, the same
   * when the operation is tried again. Made at random unless given.
   */
  reference?: string | undefined;
  /**
   * Says that this operation, with this `reference` and exactly this payload, may have been sent before,
   * perhaps by a process that died. If it succeeded then, the call resolves to that success instead of
   * failing with a DuplicateRequestError. That the payload is the same is up to you: of what the answer
   * tells, such as an amount, a difference is noticed and refused; of the rest it is not.
   */
  resume?: boolean | undefined;
  /** Ends the call, retries and waits included. */
  signal?: AbortSignal | undefined;
  /** How long one attempt may take. */
  timeoutMs?: number | undefined;
  /** How often an attempt that got no final answer is repeated. */
  maxRetries?: number | undefined;
}

/** One attempt, as hooks see it: no header, no body, no secret. */
export interface SentRequest {
  method: string;
  url: string;
  reference: string;
  /** 1 for the first. */
  attempt: number;
}

export interface ReceivedResponse extends SentRequest {
  httpStatus: number;
  responseCode: string | undefined;
  requestId: string | undefined;
  durationMs: number;
}

export interface Retry extends SentRequest {
  /** Why the attempt did not count. */
  error: FlorinError;
  delayMs: number;
}

/** The options with every default filled in. */
export interface Settings {
  apiUrl: string;
  identityUrl: string;
  clientId: string;
  clientSecret: string;
  uniqueKey: string;
  scope: string | undefined;
  timeoutMs: number;
  maxRetries: number;
  backoffMs: number;
  fetch: typeof globalThis.fetch;
  hooks: Hooks;
}

export type Hooks = Pick<FlorinOptions, "onRequest" | "onResponse" | "onRetry">;

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** In JavaScript the options may be left out altogether, and what is needed first is told then, too. */
export function readOptions(options: Partial<FlorinOptions> = {}): Settings {
  const { onRequest, onResponse, onRetry } = options;
  return {
    apiUrl: address("apiUrl", options.apiUrl).replace(/\/api\/v1$/, ""),
    identityUrl: address("identityUrl", options.identityUrl),
    clientId: text("clientId", options.clientId),
    clientSecret: text("clientSecret", options.clientSecret),
    uniqueKey: headerText("uniqueKey", options.uniqueKey),
    scope: options.scope,
    timeoutMs: milliseconds("timeoutMs", options.timeoutMs ?? 30_000),
    maxRetries: atLeast("maxRetries", 0, options.maxRetries ?? 4),
    backoffMs: atLeast("backoffMs", 0, options.backoffMs ?? 250),
    // Some runtimes refuse a fetch that is called as a method of something else.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    hooks: { onRequest, onResponse, onRetry },
  };
}

export function atLeast(name: string, least: number, value: number): number {
  if (Number.isFinite(value) && value >= least) return value;
  throw new TypeError(`${name} must be a number of at least ${least}.`);
}

/** How long something may take. A timer that is given more than it can count ends at once. */
export function milliseconds(name: string, value: number): number {
  if (value >= 1 && value <= LONGEST_TIMER_MS) return value;
  throw new TypeError(`${name} must be a number from 1 to ${LONGEST_TIMER_MS}.`);
}

function text(name: string, value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw new TypeError(`Florin needs ${name}.`);
}

/** Refuses what no header can hold: the error that fetch would throw shows the value. */
function headerText(name: string, value: unknown): string {
  const checked = text(name, value);
  if (/^[\x21-\x7e]+$/.test(checked)) return checked;
  throw new TypeError(`${name} must be printable ASCII without spaces.`);
}

function address(name: string, value: unknown): string {
  const url = parse(text(name, value));
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "")
    throw new TypeError(`${name} must be an address that begins with https:// or http://.`);
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function parse(value: string): URL | undefined {
  try {
    return new URL(value);
  } catch {
    return undefined;
  }
}
