import { errors } from "undici";

/** What came of a request to somebody outside. Failures are data: whoever calls has to deal with them. */
export type Outcome = (Answered | Failed) & {
  /** Whether the same had been sent before, and may have been answered, but nothing was heard of it. */
  isSecondTry?: boolean;
};

export interface Answered {
  isAnswer: true;
  status: number;
  retryAfter?: string;
  /** As much as was wanted of it. */
  body: Buffer;
  /** Whether there was more, which was not read. */
  truncated: boolean;
  /** From the call to the last byte. */
  durationMs: number;
}

export type FailureReason =
  /** The address is one that must not be connected to. */
  | "RefusedAddress"
  | "Timeout"
  | "ConnectionFailed"
  | "TlsFailed"
  /** The headers are larger than anybody needs. */
  | "TooLarge"
  | "InvalidAnswer"
  | "Redirected"
  /** As many requests as are allowed are under way already. */
  | "Overloaded"
  /** We have no descriptor left to connect with, which says nothing of the other side. */
  | "NoDescriptor"
  | "Stopped";

export interface Failed {
  isAnswer: false;
  reason: FailureReason;
  /** In words for people. */
  message: string;
  /** The status of an answer that does not count, as a redirect. */
  status?: number;
  durationMs: number;
  /** Whether the request had gone out: the other side may have heard it. */
  isSent?: boolean;
  /** What came after the time was over, for a caller that wanted to know. */
  late?: Promise<Outcome>;
}

/** Whether a receiver has taken a message: any 2xx, whatever else it says. */
export function isAcknowledged(outcome: Outcome): boolean {
  return outcome.isAnswer && outcome.status >= 200 && outcome.status < 300;
}

/** An address was refused while connecting. */
export class RefusedAddress extends Error {
  override readonly name = "RefusedAddress";
}

/** Thrown into a request to end it. */
export class Abandoned extends Error {
  override readonly name = "Abandoned";
  readonly reason: FailureReason;

  constructor(reason: FailureReason) {
    super(MESSAGES[reason]);
    this.reason = reason;
  }
}

const MESSAGES: { readonly [reason in FailureReason]: string } = {
  RefusedAddress: "The address is not allowed",
  Timeout: "No answer in time",
  ConnectionFailed: "The connection failed",
  TlsFailed: "The secure connection failed",
  TooLarge: "The headers of the answer are too large",
  InvalidAnswer: "The answer is not valid HTTP",
  Redirected: "Redirects are not followed",
  Overloaded: "Too many requests are under way",
  NoDescriptor: "The service has no file descriptor left for a connection",
  Stopped: "The service is stopping",
};

const CONNECTION_MESSAGES: { readonly [code: string]: string } = {
  ECONNREFUSED: "The connection was refused",
  ECONNRESET: "The connection was closed before the answer",
  EPIPE: "The connection was closed before the answer",
  UND_ERR_SOCKET: "The connection was closed before the answer",
  ENOTFOUND: "The name has no address",
  ENODATA: "The name has no address",
  EAI_AGAIN: "The name could not be looked up",
  EHOSTUNREACH: "The host cannot be reached",
  ENETUNREACH: "The host cannot be reached",
  UND_ERR_CONNECT_TIMEOUT: "No connection in time",
  ETIMEDOUT: "No connection in time",
};

const TLS_MESSAGES: { readonly [code: string]: string } = {
  CERT_HAS_EXPIRED: "The certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is for another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate is signed by itself",
  SELF_SIGNED_CERT_IN_CHAIN: "The certificate is signed by an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The certificate is signed by an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "The certificate is signed by an unknown authority",
};

export function failed(reason: FailureReason, durationMs: number, message?: string): Failed {
  return { isAnswer: false, reason, message: message ?? MESSAGES[reason], durationMs };
}

/** Makes data of whatever a request was ended by. */
export function failedBy(error: unknown, durationMs: number): Failed {
  if (error instanceof Abandoned) return failed(error.reason, durationMs);
  if (error instanceof RefusedAddress) return failed("RefusedAddress", durationMs);
  const code = codeOf(error);
  if (code === "UND_ERR_HEADERS_OVERFLOW" || code === "HPE_HEADER_OVERFLOW") {
    return failed("TooLarge", durationMs);
  }
  if (code === "EMFILE" || code === "ENFILE") return failed("NoDescriptor", durationMs);
  // The parser's errors hold what they could not read, which is why nobody gets to see them.
  if (error instanceof errors.HTTPParserError) return failed("InvalidAnswer", durationMs);
  if (code in TLS_MESSAGES || /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|EPROTO)/.test(code)) {
    return failed("TlsFailed", durationMs, TLS_MESSAGES[code]);
  }
  return failed("ConnectionFailed", durationMs, CONNECTION_MESSAGES[code]);
}

function codeOf(error: unknown): string {
  // Several addresses were tried, and each failed in its own way; the first speaks for all.
  const one = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  return one instanceof Error && "code" in one ? String(one.code) : "";
}
