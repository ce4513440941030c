import { WebhookVerificationError } from "../errors.ts";
import { milliseconds } from "../options.ts";
import { checkSecrets, verifySignature } from "../webhooks/signing.ts";
import {
  type ExpressHandler,
  type FastifyPlugin,
  toExpress,
  toFastify,
  toFetch,
} from "./adapters.ts";
import { type Arrived, BodyTooLarge, type Reply } from "./exchange.ts";
import {
  type AuthorizationAdvice,
  type AuthorizationDecision,
  type AuthorizationRequest,
  isAdvice,
  isQuestion,
} from "./message.ts";

/** Of the 400 milliseconds, the rest is for the network and for a process that is busy. */
const DEFAULT_DEADLINE_MS = 300;

/** Florin keeps no more than this of a decision's metadata, as JSON. */
const MAX_METADATA_CHARACTERS = 2048;

export interface AuthorizationHandlerOptions {
  /** The organization's `webhookSecret`, or several while one is replaced by another. */
  secret: string | readonly string[];
  /** Decides a purchase. `signal` says when it is too late for the decision to count. */
  decide: (
    request: AuthorizationRequest,
    context: { signal: AbortSignal },
  ) => AuthorizationDecision | Promise<AuthorizationDecision>;
  /**
   * Hears what became of a payment that you decided. It is told again until this resolves, so remember
   * each `requestId`.
   */
  advise?: ((advice: AuthorizationAdvice) => void | Promise<void>) | undefined;
  /** When to answer without `decide`, counted from the arrival of the question. 300 unless given. */
  deadlineMs?: number | undefined;
  /** What is answered when `decide` is too slow or fails. `{ decision: "Decline" }` unless given. */
  otherwise?: AuthorizationDecision | undefined;
  /**
   * Hears of what `decide` and `advise` throw, of what had to be left out of a decision, and of messages
   * that are not from Florin.
   */
  onError?: ((error: unknown) => void) | undefined;
}

/** Answers Florin's questions in a customer-managed organization, with whatever server you have. */
export interface AuthorizationHandler {
  /** The answer to one request, for servers that no adapter is for. */
  handle(arrived: Arrived): Promise<Reply>;
  /** `(request: Request) => Promise<Response>` */
  toFetch(): (request: Request) => Promise<Response>;
  /** For Express, and for Node's own server. It needs the raw body: put it before any body parser. */
  toExpress(): ExpressHandler;
  /** A Fastify plugin that serves POST requests at `path`. */
  toFastify(options: { path: string }): FastifyPlugin;
}

export function authorizationHandler(options: AuthorizationHandlerOptions): AuthorizationHandler {
  checkSecrets(options.secret);
  milliseconds("deadlineMs", options.deadlineMs ?? DEFAULT_DEADLINE_MS);
  const handle = (arrived: Arrived): Promise<Reply> => answer(options, arrived);
  return {
    handle,
    toFetch: () => toFetch(handle),
    toExpress: () => toExpress(handle),
    toFastify: ({ path }) => toFastify(handle, path),
  };
}

async function answer(
  options: AuthorizationHandlerOptions,
  { method, headers, body }: Arrived,
): Promise<Reply> {
  const { secret, deadlineMs = DEFAULT_DEADLINE_MS } = options;
  const lateAtMs = performance.now() + deadlineMs;
  if (method !== "POST") return reply(405, { error: "Only POST is answered here." });
  let message: unknown;
  try {
    message = JSON.parse(await verifySignature(await body, headers, secret));
  } catch (error) {
    tellError(options, error);
    return refusal(error);
  }
  if (isQuestion(message)) return reply(200, await decided(options, message, lateAtMs));
  if (isAdvice(message)) return advised(options, message);
  return reply(400, { error: "This requestType is not known." });
}

/** Whatever `decide` does, there is a decision by the deadline. */
async function decided(
  options: AuthorizationHandlerOptions,
  request: AuthorizationRequest,
  lateAtMs: number,
): Promise<AuthorizationDecision> {
  const otherwise = options.otherwise ?? { decision: "Decline" };
  const controller = new AbortController();
  const leftMs = Math.max(lateAtMs - performance.now(), 0);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<AuthorizationDecision>((resolve) => {
    timer = setTimeout(() => {
      controller.abort(new Error("It is too late for this decision to count."));
      resolve(otherwise);
    }, leftMs);
  });
  const deciding = Promise.resolve()
    .then(() => options.decide(request, { signal: controller.signal }))
    .catch((error: unknown) => {
      tellError(options, error);
      return otherwise;
    });
  try {
    return sendable(options, checked(await Promise.race([deciding, late]), otherwise));
  } finally {
    clearTimeout(timer);
  }
}

/** A decision that Florin would not understand would leave it to the default, which may be approval. */
function checked(
  given: AuthorizationDecision,
  otherwise: AuthorizationDecision,
): AuthorizationDecision {
  return given?.decision === "Approve" || given?.decision === "Decline" ? given : otherwise;
}

/** So would a code or metadata that Florin cannot read: the decision counts without them. */
function sendable(
  options: AuthorizationHandlerOptions,
  { decision, responseCode, metadata }: AuthorizationDecision,
): AuthorizationDecision {
  const sent: AuthorizationDecision = { decision };
  try {
    if (isGiven(responseCode)) sent.responseCode = readableCode(responseCode);
  } catch (error) {
    tellError(options, error);
  }
  try {
    if (isGiven(metadata)) sent.metadata = readableMetadata(metadata);
  } catch (error) {
    tellError(options, error);
  }
  return sent;
}

const isGiven = <T>(value: T): value is NonNullable<T> => value !== undefined && value !== null;

function readableCode(code: string): string {
  if (typeof code === "string") return code;
  throw new TypeError("responseCode was left out: it must be text.");
}

function readableMetadata(metadata: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(metadata);
  if (text?.startsWith("{") && text.length <= MAX_METADATA_CHARACTERS) return JSON.parse(text);
  throw new TypeError("metadata was left out: it must be an object of at most 2 KB of JSON.");
}

async function advised(
  options: AuthorizationHandlerOptions,
  advice: AuthorizationAdvice,
): Promise<Reply> {
  try {
    await options.advise?.(advice);
    return reply(200, {});
  } catch (error) {
    tellError(options, error);
    return reply(500, { error: "The advice was not taken." });
  }
}

function refusal(error: unknown): Reply {
  if (error instanceof WebhookVerificationError) return reply(401, { error: error.message });
  if (error instanceof BodyTooLarge) return reply(413, { error: error.message });
  return reply(400, { error: "The request could not be read." });
}

function tellError({ onError }: AuthorizationHandlerOptions, error: unknown): void {
  try {
    onError?.(error);
  } catch {
    // What the hook throws is its own.
  }
}

const reply = (status: number, body: object): Reply => ({ status, body: JSON.stringify(body) });
