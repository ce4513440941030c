import { retryAfterOf } from "./backoff.ts";
import { Deadline } from "./deadline.ts";
import { base64 } from "./encoding.ts";
import {
  AuthenticationError,
  FlorinError,
  IndeterminateError,
  PermissionError,
  RateLimitError,
} from "./errors.ts";
import type { Settings } from "./options.ts";

const LONGEST_MARGIN_S = 60;

interface Token {
  value: string;
  /** From then on a new one is fetched, although this one still works for a moment. */
  renewAtMs: number;
}

type TokenSettings = Pick<
  Settings,
  "identityUrl" | "clientId" | "clientSecret" | "scope" | "fetch" | "timeoutMs"
>;

/** The access token: fetched when it is first needed, once for all who wait, and again before it expires. */
export class TokenSource {
  readonly #settings: TokenSettings;
  #current: Token | undefined;
  #pending: Promise<string> | undefined;

  constructor(settings: TokenSettings) {
    this.#settings = settings;
  }

  async get(): Promise<string> {
    if (this.#current !== undefined && Date.now() < this.#current.renewAtMs)
      return this.#current.value;
    this.#pending ??= this.#renew().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  /** Says that the service does not take this token; one that was fetched meanwhile stays. */
  forget(value: string): void {
    if (this.#current?.value === value) this.#current = undefined;
  }

  async #renew(): Promise<string> {
    this.#current = undefined;
    this.#current = await fetchToken(this.#settings);
    return this.#current.value;
  }
}

async function fetchToken(settings: TokenSettings): Promise<Token> {
  const { identityUrl, clientId, clientSecret, scope, fetch, timeoutMs } = settings;
  const deadline = new Deadline(timeoutMs);
  const form = { grant_type: "client_credentials", ...(scope === undefined ? {} : { scope }) };
  try {
    const response = await fetch(`${identityUrl}/connect/token`, {
      method: "POST",
      headers: {
        Authorization: `Basic ${base64(`${clientId}:${clientSecret}`)}`,
        "Content-Type": "application/x-www-form-urlencoded",
        Accept: "application/json",
      },
      body: new URLSearchParams(form).toString(),
      redirect: "manual",
      signal: deadline.signal,
    });
    return readToken(response, await response.text());
  } catch (error) {
    throw error instanceof FlorinError ? error : deadline.explain(error);
  } finally {
    deadline.close();
  }
}

function readToken({ status: httpStatus, headers }: Response, text: string): Token {
  const answer = parse(text);
  const { access_token: value, expires_in: lifetimeS } = answer;
  if (httpStatus === 200 && typeof value === "string" && /^[\x21-\x7e]+$/.test(value)) {
    const seconds = typeof lifetimeS === "number" && lifetimeS > 0 ? lifetimeS : 0;
    const marginS = Math.min(LONGEST_MARGIN_S, seconds / 10);
    return { value, renewAtMs: Date.now() + (seconds - marginS) * 1000 };
  }
  const { error, error_description: why } = answer;
  const what = typeof error === "string" ? `${httpStatus} ${error}` : httpStatus;
  const message = `No token was given (${what})${typeof why === "string" ? `: ${why}` : "."}`;
  const failure = { message, httpStatus, retryAfterMs: retryAfterOf(headers) };
  if (httpStatus === 429) throw new RateLimitError(failure);
  if (httpStatus < 300 || httpStatus >= 500) throw new IndeterminateError(failure);
  // The credentials are good, but the client is disabled: the same that the API says with 403.
  if (httpStatus === 403) throw new PermissionError(failure);
  throw new AuthenticationError(failure);
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
