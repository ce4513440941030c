import { retryAfterOf } from "./backoff.ts";
import {
  AuthenticationError,
  DuplicateRequestError,
  type Failure,
  type FieldError,
  type Finality,
  FlorinError,
  IndeterminateError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RefusedError,
  ValidationError,
} from "./errors.ts";

/** The envelope around every answer of the API. */
export interface Envelope<Data = unknown> {
  responseCode: string;
  responseMessage: string;
  finality: Finality;
  requestId: string;
  data: Data;
  errors?: FieldError[];
  pagination?: { limit: number; nextCursor: string | null };
}

const SUCCESS = "000";
const DUPLICATE = "139";

/** The envelope in a text; undefined if something other than the API has answered. */
export function readEnvelope(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isEnvelope =
      typeof value === "object" &&
      value !== null &&
      "responseCode" in value &&
      typeof value.responseCode === "string";
    return isEnvelope ? (value as Envelope) : undefined;
  } catch {
    return undefined;
  }
}

/** HTTP status and responseCode count together: both must say that it succeeded. */
export function isSuccess(httpStatus: number, envelope: Envelope | undefined): boolean {
  return httpStatus === 200 && envelope?.responseCode === SUCCESS;
}

/** The error that an answer stands for. */
export function failureOf(
  { status: httpStatus, headers }: Pick<Response, "status" | "headers">,
  envelope: Envelope | undefined,
  reference: string,
): FlorinError {
  const failure: Failure = {
    message:
      envelope?.responseMessage ?? `Something else than the API answered, with ${httpStatus}.`,
    responseCode: envelope?.responseCode,
    finality: envelope?.finality,
    errors: envelope?.errors,
    requestId: envelope?.requestId,
    httpStatus,
    reference,
    retryAfterMs: retryAfterOf(headers),
  };
  return new (kindOf(httpStatus, envelope))(failure);
}

function kindOf(httpStatus: number, envelope: Envelope | undefined): typeof FlorinError {
  if (httpStatus === 429) return RateLimitError;
  if (httpStatus >= 500 || envelope?.finality === "Indeterminate") return IndeterminateError;
  // A 200 without a proper envelope says nothing about what became of the request.
  if (httpStatus < 300 && envelope?.finality !== "TerminalFailure") return IndeterminateError;
  if (envelope?.responseCode === DUPLICATE) return DuplicateRequestError;
  return KINDS[httpStatus] ?? FlorinError;
}

const KINDS: Record<number, typeof FlorinError> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  422: RefusedError,
};
