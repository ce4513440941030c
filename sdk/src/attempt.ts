import { type Envelope, failureOf, isSuccess, readEnvelope } from "./answer.ts";
import { Deadline, orAborted } from "./deadline.ts";
import { base64 } from "./encoding.ts";
import { FlorinError } from "./errors.ts";
import type { ReceivedResponse, SentRequest, Settings } from "./options.ts";
import { sign } from "./signature.ts";
import type { TokenSource } from "./token.ts";

export interface Attempt extends SentRequest {
  /** As it is sent; a retry repeats it byte by byte. */
  body: string | undefined;
  accept: string;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/** An answer that says that the call succeeded. */
export interface Answer<Data = unknown> {
  httpStatus: number;
  headers: Headers;
  reference: string;
  envelope: Envelope<Data>;
}

/** How an attempt ended that did not succeed. */
export class FailedAttempt {
  readonly error: FlorinError;
  /** Whether it left this process, so that it may have had an effect. */
  readonly wasSent: boolean;
  readonly token: string | undefined;

  constructor(error: FlorinError, wasSent: boolean, token: string | undefined) {
    this.error = error;
    this.wasSent = wasSent;
    this.token = token;
  }
}

export interface Means {
  settings: Settings;
  tokens: TokenSource;
}

/** A body that is still on its way, and the deadline that watches it. */
export interface Download {
  response: Response;
  deadline: Deadline;
}

/** Sends a call once and reads its answer. Throws a FailedAttempt and nothing else. */
export async function attemptCall(means: Means, attempt: Attempt): Promise<Answer> {
  return send(means, attempt, async ({ response, deadline }) => {
    const text = await response.text();
    deadline.close();
    const envelope = readEnvelope(text);
    const { status: httpStatus, headers } = response;
    if (envelope !== undefined && isSuccess(httpStatus, envelope))
      return { value: { httpStatus, headers, reference: attempt.reference, envelope }, envelope };
    return { error: failureOf(response, envelope, attempt.reference), envelope };
  });
}

/** Sends a call once and gives its answer as soon as it begins. Throws a FailedAttempt and nothing else. */
export async function attemptDownload(means: Means, attempt: Attempt): Promise<Download> {
  return send(means, attempt, async ({ response, deadline }) => {
    const type = response.headers.get("content-type") ?? "";
    if (response.status === 200 && type.startsWith(attempt.accept)) {
      deadline.stopClock();
      return { value: { response, deadline } };
    }
    const envelope = readEnvelope(await response.text());
    deadline.close();
    return { error: failureOf(response, envelope, attempt.reference), envelope };
  });
}

type Read<T> = { envelope?: Envelope | undefined } & (
  | { value: T; error?: undefined }
  | { error: FlorinError; value?: undefined }
);

async function send<T>(
  { settings, tokens }: Means,
  attempt: Attempt,
  read: (download: Download) => Promise<Read<T>>,
): Promise<T> {
  const deadline = new Deadline(attempt.timeoutMs, attempt.signal);
  let wasSent = false;
  let token: string | undefined;
  try {
    token = await orAborted(tokens.get(), deadline.signal);
    const headers = await headersOf(settings, attempt, token);
    const { method, url, body } = attempt;
    const { hooks, fetch } = settings;
    callHook(() => hooks.onRequest?.(sentRequest(attempt)));
    const startedMs = performance.now();
    wasSent = true;
    const init = { method, headers, body: body ?? null, redirect: "manual" as const };
    const response = await fetch(url, { ...init, signal: deadline.signal });
    const result = await read({ response, deadline });
    callHook(() => hooks.onResponse?.(received(attempt, response, result.envelope, startedMs)));
    if (result.error !== undefined) throw result.error;
    return result.value;
  } catch (error) {
    deadline.close();
    const explained =
      error instanceof FlorinError ? error : deadline.explain(error, attempt.reference);
    throw new FailedAttempt(explained, wasSent, token);
  }
}

async function headersOf(
  settings: Settings,
  { method, url, reference, body, accept }: Attempt,
  token: string,
): Promise<Record<string, string>> {
  const { clientId, clientSecret, uniqueKey } = settings;
  return {
    Accept: accept,
    Authorization: `Bearer ${token}`,
    ServiceAuthorization: `ServiceAuth ${base64(clientId)}`,
    UniqueKey: uniqueKey,
    Reference: reference,
    Signature: await sign({ method, url, reference, clientId, clientSecret }),
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
  };
}

export function sentRequest({ method, url, reference, attempt }: Attempt): SentRequest {
  return { method, url, reference, attempt };
}

function received(
  attempt: Attempt,
  response: Response,
  envelope: Envelope | undefined,
  startedMs: number,
): ReceivedResponse {
  return {
    ...sentRequest(attempt),
    httpStatus: response.status,
    responseCode: envelope?.responseCode,
    requestId: envelope?.requestId,
    durationMs: performance.now() - startedMs,
  };
}

/** A hook that fails must not cost the caller the answer to a payment. */
export function callHook(hook: () => void): void {
  try {
    hook();
  } catch {
    // What hooks throw is theirs.
  }
}
