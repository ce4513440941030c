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

/** An answer without an envelope that is sent piece by piece: its Reference is used up when it begins. */
export interface Streamed {
  contentType: string;
  /** Whatever they still wait for, they wait in vain once the client is gone. */
  pieces: (gone: AbortSignal) => AsyncIterable<string>;
  resourceId?: undefined;
}

interface Refusal {
  responseCode: string;
  responseMessage: string;
  finality: string;
  requestId: string;
  data: null;
  errors?: FieldError[];
}

const { code, message, finality } = codes.SUCCESS;
const SUCCESS_START = JSON.stringify({
  responseCode: code,
  responseMessage: message,
  finality,
}).slice(0, -1);

/** A success as JSON. All but the data is the same for every answer, so it is not serialized again. */
export function successText({ data, pagination }: Ok<unknown>, requestId: string): string {
  const start = `${SUCCESS_START},"requestId":"${requestId}","data":${JSON.stringify(data)}`;
  return pagination === undefined
    ? `${start}}`
    : `${start},"pagination":${JSON.stringify(pagination)}}`;
}

export function failureEnvelope(failure: Failure, requestId: string): Refusal {
  const { code, message, finality } = failure.response;
  const envelope: Refusal = {
    responseCode: code,
    responseMessage: message,
    finality,
    requestId,
    data: null,
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
