/** A whole answer: JSON or nothing, of any status but 429, 3xx and 5xx. */
export interface SumsubAnswer {
  status: number;
  json: unknown;
}

interface FailedAttemptOptions {
  /** Whether the request may be sent again: never, only if it is repeatable, or in any case. */
  retry: "Never" | "IfRepeatable" | "Always";
  isTimeout?: boolean;
  /** Whether it speaks against Sumsub. A caller who hangs up does not. */
  isFault?: boolean;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** An attempt that came to nothing. Its message holds no part of an answer: answers are about people. */
export class FailedAttempt extends Error {
  readonly retry: FailedAttemptOptions["retry"];
  readonly isTimeout: boolean;
  readonly isFault: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: FailedAttemptOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retry = options.retry;
    this.isTimeout = options.isTimeout ?? false;
    this.isFault = options.isFault ?? true;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Reads an answer to its end, or says why it is none. */
export async function readAnswer(answer: Response, maxBytes: number): Promise<SumsubAnswer> {
  const { status } = answer;
  const failed = statusFailure(status, answer.headers);
  if (failed !== undefined) {
    await answer.body?.cancel();
    throw failed;
  }
  const text = await readBounded(answer, maxBytes);
  if (text === "") return { status, json: undefined };
  try {
    return { status, json: JSON.parse(text) };
  } catch {
    // The parser's own message quotes the answer, so it is not kept as the cause.
    throw new FailedAttempt(`Sumsub answered ${status} with what is no JSON`, {
      retry: "IfRepeatable",
    });
  }
}

async function readBounded(answer: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new FailedAttempt("Sumsub's answer is too long", { retry: "Never" });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** What was one too many was surely not carried out; what failed inside Sumsub may have been. */
function statusFailure(status: number, headers: Headers): FailedAttempt | undefined {
  const waitMs = retryAfterMs(headers);
  const options = { retryAfterMs: waitMs };
  const message = `Sumsub answered ${status}`;
  if (status === 429) return new FailedAttempt(message, { ...options, retry: "Always" });
  if (status >= 500) return new FailedAttempt(message, { ...options, retry: "IfRepeatable" });
  if (status >= 300 && status < 400) return new FailedAttempt(message, { retry: "Never" });
  // A conflict that is said to pass: the applicant is being worked on.
  if (status === 409 && waitMs !== undefined) {
    return new FailedAttempt(message, { ...options, retry: "IfRepeatable", isFault: false });
  }
  return undefined;
}

function retryAfterMs(headers: Headers): number | undefined {
  const seconds = headers.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

/** Failures to connect: nothing was sent yet. */
const UNSENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** What it means that `fetch` threw, given the signal that it ran under. */
export function transportFailure(error: unknown, signal: AbortSignal): FailedAttempt {
  if (signal.aborted) {
    return new FailedAttempt("Sumsub did not answer in time", {
      retry: "IfRepeatable",
      isTimeout: true,
      isFault: signal.reason instanceof DOMException && signal.reason.name === "TimeoutError",
    });
  }
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return new FailedAttempt("Sumsub cannot be reached", {
    retry: UNSENT.test(code) ? "Always" : "IfRepeatable",
    cause: error,
  });
}
