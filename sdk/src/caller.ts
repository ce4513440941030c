import type { Envelope } from "./answer.ts";
import {
  type Answer,
  type Attempt,
  attemptCall,
  attemptDownload,
  callHook,
  type Download,
  FailedAttempt,
  type Means,
  sentRequest,
} from "./attempt.ts";
import { delayBefore } from "./backoff.ts";
import { pause } from "./deadline.ts";
import {
  AbortedError,
  DuplicateRequestError,
  type FlorinError,
  IndeterminateError,
  RateLimitError,
} from "./errors.ts";
import { operations } from "./generated/openapi.ts";
import { findLostAnswer, type SentCall } from "./lost-answer.ts";
import { type Data, findOperation, isSafe, type OperationId } from "./operation.ts";
import { atLeast, type CallOptions, milliseconds, type Settings } from "./options.ts";
import { checkReference, newReference } from "./reference.ts";
import { TokenSource } from "./token.ts";
import { pathOf, type Query, urlOf } from "./url.ts";

const TOKEN_REFUSED = "146";

export interface Input {
  params?: Record<string, string>;
  query?: object | undefined;
  body?: unknown;
}

/** A call that is ready to be sent, any number of times. */
interface Plan extends SentCall {
  url: string;
  accept: string;
  isSafe: boolean;
}

/** Makes calls: with a token, signed, repeated as long as that is safe, and looked up if an answer is lost. */
export class Caller {
  readonly #settings: Settings;
  readonly #means: Means;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#means = { settings, tokens: new TokenSource(settings) };
  }

  async call<Id extends OperationId>(
    operationId: Id,
    input: Input = {},
    options: CallOptions = {},
  ): Promise<Data<Id>> {
    return (await this.envelope(operationId, input, options)).data;
  }

  async envelope<Id extends OperationId>(
    operationId: Id,
    input: Input = {},
    options: CallOptions = {},
  ): Promise<Envelope<Data<Id>>> {
    const { method, path } = operations[operationId];
    const { envelope } = await this.send(method, path, input, options);
    return envelope as Envelope<Data<Id>>;
  }

  async send(
    method: string,
    path: string,
    input: Input,
    options: CallOptions = {},
  ): Promise<Answer> {
    const plan = this.#plan(method, path, input, "application/json");
    return this.#repeat(
      plan,
      options,
      (attempt) => attemptCall(this.#means, attempt),
      (duplicate, reference) => this.#findLostAnswer(plan, duplicate, reference, options),
    );
  }

  async download(
    operationId: OperationId,
    input: Input,
    accept: string,
    options: CallOptions = {},
  ): Promise<Download> {
    const { method, path } = operations[operationId];
    const plan = this.#plan(method, path, input, accept);
    return this.#repeat(plan, options, (attempt) => attemptDownload(this.#means, attempt));
  }

  #plan(method: string, path: string, { params, query, body }: Input, accept: string): Plan {
    const filled = pathOf(path, params);
    const url = urlOf(this.#settings.apiUrl, filled, query as Query);
    const [pathAlone = filled] = filled.split(/[?#]/);
    const found = findOperation(method, pathAlone);
    return {
      operationId: found?.operationId,
      params: found?.params ?? {},
      method,
      path: pathAlone,
      url,
      body: body === undefined ? undefined : JSON.stringify(body),
      accept,
      isSafe: isSafe(method, found?.operationId),
    };
  }

  /** Sends until there is a final answer, the retries are used up, or the caller wants no more. */
  async #repeat<T>(
    plan: Plan,
    options: CallOptions,
    send: (attempt: Attempt) => Promise<T>,
    resolve?: (duplicate: FlorinError, reference: string) => Promise<T>,
  ): Promise<T> {
    const maxRetries = atLeast("maxRetries", 0, options.maxRetries ?? this.#settings.maxRetries);
    let attempt = this.#firstAttempt(plan, options);
    let mayHaveSucceeded = options.resume === true;
    let isTokenRenewed = false;
    let retries = 0;
    for (;;) {
      const { failed, value } = await settle(send(attempt));
      if (failed === undefined) return value;
      const { error, wasSent, token } = failed;
      if (error.responseCode === TOKEN_REFUSED && token !== undefined && !isTokenRenewed) {
        this.#means.tokens.forget(token);
        isTokenRenewed = true;
      } else if (error instanceof DuplicateRequestError && mayHaveSucceeded && resolve) {
        return resolve(error, attempt.reference);
      } else {
        retries += 1;
        const delayMs = retries > maxRetries ? undefined : this.#delayAfter(error, retries);
        if (delayMs === undefined) throw error;
        if (wasSent && !(error instanceof RateLimitError)) mayHaveSucceeded = true;
        callHook(() => this.#settings.hooks.onRetry?.({ ...sentRequest(attempt), error, delayMs }));
        await pause(delayMs, options.signal, attempt.reference);
      }
      const reference = plan.isSafe ? newReference() : attempt.reference;
      attempt = { ...attempt, reference, attempt: attempt.attempt + 1 };
    }
  }

  #firstAttempt({ method, url, body, accept }: Plan, options: CallOptions): Attempt {
    const { reference = newReference(), timeoutMs = this.#settings.timeoutMs, signal } = options;
    return {
      method,
      url,
      body,
      accept,
      reference: checkReference(reference),
      attempt: 1,
      timeoutMs: milliseconds("timeoutMs", timeoutMs),
      signal,
    };
  }

  #findLostAnswer(
    plan: Plan,
    duplicate: FlorinError,
    reference: string,
    { signal, timeoutMs, maxRetries }: CallOptions,
  ): Promise<Answer> {
    const means = {
      ask: <Id extends OperationId>(id: Id, input?: Input) =>
        this.call(id, input, { signal, timeoutMs, maxRetries }),
      signal,
      maxRetries: this.#settings.maxRetries,
    };
    return findLostAnswer(means, plan, duplicate, reference);
  }

  #delayAfter(error: FlorinError, retry: number): number | undefined {
    const isWorthwhile = error instanceof IndeterminateError && !(error instanceof AbortedError);
    if (!isWorthwhile) return undefined;
    return delayBefore(retry, this.#settings.backoffMs, error.retryAfterMs);
  }
}

async function settle<T>(
  sending: Promise<T>,
): Promise<{ value: T; failed?: undefined } | { failed: FailedAttempt; value?: undefined }> {
  try {
    return { value: await sending };
  } catch (error) {
    if (error instanceof FailedAttempt) return { failed: error };
    throw error;
  }
}
