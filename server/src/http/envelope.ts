import { codes } from "../foundation/codes.ts";
import type { Failure, FieldError } from "../foundation/failure.ts";

/** What a handler answers; the envelope is put around it in one place. */
export interface Ok<Data> {
  data: Data;
  /** Kept with the Reference, so that a client that lost the answer can find what it made. */
  resourceId?: string;
  pagination?: { limit: number; nextCursor: string | null };
}

export function ok<Data>(data: Data, extra: Omit<Ok<Data>, "data"> = {}): Ok<Data> {
  return { data, ...extra };
}

export interface Envelope {
  responseCode: string;
  responseMessage: string;
  finality: string;
  requestId: string;
  errors?: FieldError[];
  data?: unknown;
  pagination?: { limit: number; nextCursor: string | null };
}

export function successEnvelope(answer: Ok<unknown>, requestId: string): Envelope {
  const { code, message, finality } = codes.SUCCESS;
  const envelope: Envelope = {
    responseCode: code,
    responseMessage: message,
    finality,
    requestId,
    data: answer.data,
  };
  if (answer.pagination !== undefined) envelope.pagination = answer.pagination;
  return envelope;
}

export function failureEnvelope(failure: Failure, requestId: string): Envelope {
  const { code, message, finality } = failure.response;
  const envelope: Envelope = {
    responseCode: code,
    responseMessage: message,
    finality,
    requestId,
  };
  const errors = fieldErrors(failure);
  if (errors.length > 0) envelope.errors = errors;
  return envelope;
}

/** An invalid request always says what is invalid, if only the request as a whole. */
function fieldErrors({ codeName, fields, message }: Failure): FieldError[] {
  return fields.length === 0 && codeName === "INVALID_REQUEST"
    ? [{ field: "request", message }]
    : fields;
}
