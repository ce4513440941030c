export type { Envelope } from "./answer.ts";
export type { Answer } from "./attempt.ts";
export type { ExpressHandler, FastifyPlugin } from "./authorization/adapters.ts";
export type { Arrived, Reply } from "./authorization/exchange.ts";
export {
  type AuthorizationHandler,
  type AuthorizationHandlerOptions,
  authorizationHandler,
} from "./authorization/handler.ts";
export type {
  AuthorizationAdvice,
  AuthorizationDecision,
  AuthorizationRequest,
} from "./authorization/message.ts";
export { Florin, type RequestInput, type TypedInput } from "./client.ts";
export type { Csv } from "./csv.ts";
export {
  AbortedError,
  AuthenticationError,
  ConnectionError,
  DuplicateRequestError,
  type FieldError,
  type Finality,
  FlorinError,
  IndeterminateError,
  LostAnswerError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RefusedError,
  TimeoutError,
  ValidationError,
  WebhookVerificationError,
} from "./errors.ts";
export type * from "./generated/openapi.ts";
export { operations } from "./generated/openapi.ts";
export type { List, Page } from "./list.ts";
export type { Data, Method, OperationId } from "./operation.ts";
export type {
  CallOptions,
  FlorinOptions,
  ReceivedResponse,
  Retry,
  SentRequest,
} from "./options.ts";
export { newReference } from "./reference.ts";
export type { ReadOptions } from "./resources/resource.ts";
export type { DataOf, EventType, TypedEvent, WebhookEvent } from "./webhooks/event.ts";
export type { HeadersLike, RawBody, Signable, VerifyOptions } from "./webhooks/signing.ts";
export { verifyWebhook, webhooks } from "./webhooks/verify.ts";
