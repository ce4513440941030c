import type { Envelope } from "./answer.ts";
import {
  type Answer,
  type Attempt,
  attemptCall,
  attemptDownload,
  type Download,
  FailedAttempt,
  sentRequest,
  tell,
} from "./attempt.ts";
import { delayBefore } from "./backoff.ts";
import { pause } from "./deadline.ts";
import {
  AbortedError,
  DuplicateRequestError,
  type FlorinError,
  IndeterminateError,
  LostAnswerError,
  RateLimitError,
} from "./errors.ts";
import { operations, type RequestOutcome } from "./generated/openapi.ts";
import { type Data, findOperation, isSafe, type OperationId } from "./operation.ts";
import { atLeast, type CallOptions, type Settings } from "./options.ts";
import { recoveries } from "./recovery.ts";
import { checkReference, newReference } from "./reference.ts";
import { changedFields } from "./same-payload.ts";
import { TokenSource } from "./token.ts";
import { pathOf, type Query, urlOf } from "./url.ts";

const TOKEN_REFUSED = "146";
const IN_PROGRESS_PAUSE_MS = 250;

export interface Input {
  params?: Record<string, string>;
  query?: object | undefined;
  body?: unknown;
}

/** A call that is ready to be sent, any number of times. */
interface Plan {
  operationId: OperationId | undefined;
  params: Record<string, string>;
  method: string;
  /** From `/api/v1` on. */
  path: string;
  url: string;
  body: string | undefined;
  accept: string;
  isSafe: boolean;
}

/** Makes calls: with a token, signed, repeated as long as that is safe, and looked up if an answer is lost. */
export class Caller {
  readonly #settings: Settings;
  readonly #tokens: TokenSource;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#tokens = new TokenSource(settings);
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
    const means = { settings: this.#settings, tokens: this.#tokens };
    return this.#repeat(
      plan,
      options,
      (attempt) => attemptCall(means, attempt),
      (error, reference) => this.#resolve(plan, error, reference, options),
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
    const means = { settings: this.#settings, tokens: this.#tokens };
    return this.#repeat(plan, options, (attempt) => attemptDownload(means, attempt));
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
      const { failed, value } = await outcomeOf(send(attempt));
      if (failed === undefined) return value;
      const { error, wasSent, token } = failed;
      if (error.responseCode === TOKEN_REFUSED && token !== undefined && !isTokenRenewed) {
        this.#tokens.forget(token);
        isTokenRenewed = true;
      } else if (error instanceof DuplicateRequestError && mayHaveSucceeded && resolve) {
        return resolve(error, attempt.reference);
      } else {
        retries += 1;
        const delayMs = retries > maxRetries ? undefined : this.#delayAfter(error, retries);
        if (delayMs === undefined) throw error;
        if (wasSent && !(error instanceof RateLimitError)) mayHaveSucceeded = true;
        tell(() => this.#settings.hooks.onRetry?.({ ...sentRequest(attempt), error, delayMs }));
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
      timeoutMs: atLeast("timeoutMs", 1, timeoutMs),
      signal,
    };
  }

  #delayAfter(error: FlorinError, retry: number): number | undefined {
    const isWorthwhile = error instanceof IndeterminateError && !(error instanceof AbortedError);
    if (!isWorthwhile) return undefined;
    return delayBefore(retry, this.#settings.backoffMs, error.retryAfterMs);
  }

  /** The Reference is used up: finds what an earlier attempt came to, and its answer if there is a way. */
  async #resolve(
    plan: Plan,
    duplicate: FlorinError,
    reference: string,
    options: CallOptions,
  ): Promise<Answer> {
    const outcome = await this.#outcomeOf(reference, options);
    const isSame = outcome.method === plan.method && outcome.path?.endsWith(plan.path);
    if (outcome.state === "InProgress" && isSame) {
      const message = "An earlier attempt is still being worked on.";
      throw new IndeterminateError({ message, reference });
    }
    if (outcome.state !== "Succeeded" || !isSame)
      throw new DuplicateRequestError({ ...failureIn(duplicate), outcome });
    const data = await this.#recover(plan, outcome, options);
    const changed = changedFields(plan.operationId, plan.body, data);
    if (changed.length > 0) {
      const message = `The Reference belongs to a request with another ${changed.join(" and ")}.`;
      throw new DuplicateRequestError({ ...failureIn(duplicate), message, outcome });
    }
    const { requestId = "" } = duplicate;
    const envelope = {
      responseCode: "000",
      responseMessage: "Success",
      finality: "TerminalSuccess" as const,
      requestId,
      data,
    };
    return { httpStatus: 200, headers: new Headers(), reference, envelope };
  }

  async #outcomeOf(reference: string, options: CallOptions): Promise<RequestOutcome> {
    const { signal, timeoutMs, maxRetries } = options;
    const patience = { signal, timeoutMs, maxRetries };
    try {
      for (let asked = 1; ; asked += 1) {
        const outcome = await this.call("readRequest", { params: { reference } }, patience);
        const isOver = outcome.state !== "InProgress" || asked > this.#settings.maxRetries;
        if (isOver) return outcome;
        await pause(IN_PROGRESS_PAUSE_MS, signal, reference);
      }
    } catch (cause) {
      if (cause instanceof AbortedError) throw cause;
      const message = "The Reference is used up, but what became of it could not be found out.";
      throw new IndeterminateError({ message, reference, cause });
    }
  }

  async #recover(plan: Plan, outcome: RequestOutcome, options: CallOptions): Promise<unknown> {
    const recover = plan.operationId === undefined ? undefined : recoveries[plan.operationId];
    const message = "The call succeeded, but its answer was lost and cannot be had again.";
    const lost = { message, reference: outcome.reference, outcome };
    if (recover === undefined) throw new LostAnswerError(lost);
    const { signal, timeoutMs, maxRetries } = options;
    try {
      return await recover(
        (operationId, input) => this.call(operationId, input, { signal, timeoutMs, maxRetries }),
        { params: plan.params, resourceId: outcome.resourceId ?? "" },
      );
    } catch (cause) {
      throw new LostAnswerError({ ...lost, cause });
    }
  }
}

async function outcomeOf<T>(
  sending: Promise<T>,
): Promise<{ value: T; failed?: undefined } | { failed: FailedAttempt; value?: undefined }> {
  try {
    return { value: await sending };
  } catch (error) {
    if (error instanceof FailedAttempt) return { failed: error };
    throw error;
  }
}

function failureIn({
  message,
  responseCode,
  finality,
  requestId,
  httpStatus,
  reference,
}: FlorinError) {
  return { message, responseCode, finality, requestId, httpStatus, reference };
}
