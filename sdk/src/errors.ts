import type { RequestOutcome } from "./generated/openapi.ts";

export type Finality = "TerminalSuccess" | "TerminalFailure" | "Indeterminate";

/** One field of a request that is wrong, and why. */
export interface FieldError {
  field: string;
  message: string;
}

/** What is known of a call that did not succeed. Never a secret, a header or a body. */
export interface Failure {
  message: string;
  responseCode?: string | undefined;
  finality?: Finality | undefined;
  errors?: FieldError[] | undefined;
  requestId?: string | undefined;
  httpStatus?: number | undefined;
  reference?: string | undefined;
  retryAfterMs?: number | undefined;
  outcome?: RequestOutcome | undefined;
  cause?: unknown;
}

/**
 * Whatever goes wrong with a call is one of these; the subclass says what kind it is. Only what could never
 * be sent, such as an empty id, is a TypeError.
 */
export class FlorinError extends Error {
  /** The service's code, such as "116"; undefined if no answer of the service came. */
  readonly responseCode: string | undefined;
  readonly responseMessage: string;
  /** Only `Indeterminate` is worth a retry, with the same Reference. */
  readonly finality: Finality;
  /** The fields that are wrong, if it is about fields. */
  readonly errors: FieldError[];
  /** Names the attempt in the service's logs. */
  readonly requestId: string | undefined;
  readonly httpStatus: number | undefined;
  /** The call's Reference, by which its outcome can be found: `florin.requests.get(reference)`. */
  readonly reference: string | undefined;

  constructor(failure: Failure) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.name = new.target.name;
    this.responseCode = failure.responseCode;
    this.responseMessage = failure.message;
    this.finality = failure.finality ?? "TerminalFailure";
    this.errors = failure.errors ?? [];
    this.requestId = failure.requestId;
    this.httpStatus = failure.httpStatus;
    this.reference = failure.reference;
  }
}

/** The credentials, the token or the signature are not good. */
export class AuthenticationError extends FlorinError {}

/** The client may not do this: its scope or its organization does not allow it, or it is disabled. */
export class PermissionError extends FlorinError {}

/** The request is malformed; `errors` names the fields where that says more than the message. */
export class ValidationError extends FlorinError {}

export class NotFoundError extends FlorinError {}

/** A rule of the business refuses it: too little money, a frozen card and the like. */
export class RefusedError extends FlorinError {}

/**
 * The Reference has been used up by an earlier call, or stands for another payload. Nothing happened now.
 * `outcome` is what became of that earlier call.
 */
export class DuplicateRequestError extends FlorinError {
  readonly outcome: RequestOutcome | undefined;

  constructor(failure: Failure) {
    super(failure);
    this.outcome = failure.outcome;
  }
}

/**
 * The call succeeded, but its answer was lost and cannot be had again. Do not repeat it: `outcome` says
 * what it made or changed.
 */
export class LostAnswerError extends FlorinError {
  readonly outcome: RequestOutcome | undefined;

  constructor(failure: Failure) {
    super({ ...failure, finality: "TerminalSuccess" });
    this.outcome = failure.outcome;
  }
}

/**
 * Whether it took effect is not known, and no retry is left. Find out with `florin.requests.get(reference)`,
 * or call again with the same `reference`, the same payload and `resume: true`.
 */
export class IndeterminateError extends FlorinError {
  /** How long the service asks to be left alone, if it does. */
  readonly retryAfterMs: number | undefined;

  constructor(failure: Failure) {
    super({ ...failure, finality: "Indeterminate" });
    this.retryAfterMs = failure.retryAfterMs;
  }
}

/** Too many calls. */
export class RateLimitError extends IndeterminateError {}

/** No answer came, or only a part of one. */
export class ConnectionError extends IndeterminateError {}

/** No whole answer came within `timeoutMs`. */
export class TimeoutError extends ConnectionError {}

/** The caller's signal ended the call; `cause` is the signal's reason. */
export class AbortedError extends ConnectionError {}

/** A webhook or a question that is not from Florin, or not from just now. */
export class WebhookVerificationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}
