import { Failure, type FieldError } from "./failure.ts";
import { newReference } from "./reference.ts";

type Parameters = Record<string, string | number | boolean | undefined>;

interface CallOptions {
  body?: unknown;
  params?: Parameters;
  /** Keeps the same for a retry of the same action. */
  reference?: string;
  signal?: AbortSignal;
}

export interface Page<Row> {
  data: Row[];
  pagination: { limit: number; nextCursor: string | null };
}

interface Envelope {
  responseCode: string;
  responseMessage: string;
  finality: string;
  requestId?: string;
  data?: unknown;
  pagination?: Page<unknown>["pagination"];
  errors?: FieldError[];
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Who is signed in, with the token against forged requests, and what to call when that has changed. */
export const session = {
  csrfToken: "",
  personId: undefined as string | undefined,
  ended: (): void => undefined,
  refresh: async (): Promise<void> => undefined,
};

export async function call<Data>(
  method: Method,
  path: string,
  options: CallOptions = {},
): Promise<Data> {
  return (await exchange(method, path, options)).data as Data;
}

export async function getPage<Row>(path: string, options: CallOptions): Promise<Page<Row>> {
  const { data, pagination } = await exchange("GET", path, options);
  return {
    data: (data ?? []) as Row[],
    pagination: pagination ?? { limit: 0, nextCursor: null },
  };
}

/** Everything that the filter matches, as the file that a spreadsheet opens. */
export async function getCsv(path: string, params: Parameters): Promise<Blob> {
  const answer = await send("GET", address(path, params), {
    headers: { Accept: "text/csv" },
  });
  if (answer.ok) return answer.blob();
  throw failureOf(answer, await envelopeOf(answer));
}

async function exchange(method: Method, path: string, options: CallOptions): Promise<Envelope> {
  const request: RequestInit = { method, headers: headersOf(method, options) };
  if (options.body !== undefined) request.body = JSON.stringify(options.body);
  if (options.signal !== undefined) request.signal = options.signal;
  const answer = await sendWithFreshToken(method, address(path, options.params), request, options);
  const envelope = await envelopeOf(answer);
  if (answer.ok) return envelope;
  if (answer.status === 401 && !path.startsWith("/dashboard/log-in")) session.ended();
  throw failureOf(answer, envelope);
}

/**
 * After a 403 the token is read anew, once, since another tab may have renewed it, and the request is sent
 * again: unless somebody else is signed in by now, in whose name it must not be done.
 */
async function sendWithFreshToken(
  method: Method,
  url: string,
  request: RequestInit,
  options: CallOptions,
): Promise<Response> {
  const { csrfToken, personId } = session;
  const answer = await send(method, url, request);
  if (answer.status !== 403 || method === "GET") return answer;
  await session.refresh();
  if (session.csrfToken === csrfToken || session.personId !== personId) return answer;
  return send(method, url, { ...request, headers: headersOf(method, options) });
}

async function send(method: Method, url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...request, method, credentials: "same-origin", cache: "no-store" });
  } catch (error) {
    if (request.signal?.aborted === true) throw error;
    throw Failure.lost();
  }
}

function headersOf(method: Method, { body, reference }: CallOptions): Record<string, string> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method === "GET") return headers;
  return {
    ...headers,
    "X-CSRF-Token": session.csrfToken,
    Reference: reference ?? newReference(),
  };
}

function address(path: string, params: Parameters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

async function envelopeOf(answer: Response): Promise<Envelope> {
  try {
    return (await answer.json()) as Envelope;
  } catch {
    throw Failure.lost();
  }
}

function failureOf(answer: Response, envelope: Envelope): Failure {
  const retryAfter = Number(answer.headers.get("Retry-After") ?? Number.NaN);
  return new Failure(envelope.responseMessage, {
    code: envelope.responseCode,
    httpStatus: answer.status,
    isFinal: envelope.finality !== "Indeterminate",
    fieldErrors: envelope.errors ?? [],
    requestId: envelope.requestId,
    retryAfterS: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}
