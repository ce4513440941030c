import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { isUnavailable } from "../db/errors.ts";
import { addressKey } from "../foundation/address.ts";
import { sameSecret } from "../foundation/keyring.ts";
import { TokenBuckets } from "../foundation/token-bucket.ts";
import type { AnswerLog } from "../http/answer-log.ts";
import { readAuthenticationHeaders } from "../http/headers.ts";
import { acceptAnyExpectation, type ListenerOptions, partIfStopping } from "../http/listener.ts";
import { allowReferencePage } from "./cors.ts";
import { type Client, type Directory, liveSecrets } from "./directory.ts";
import { invalidScope, readBasic, readTokenRequest, TokenError } from "./token-request.ts";
import { issueToken, type TokenDeps } from "./tokens.ts";

const TOKEN_PATH = "/connect/token";
const MAX_BODY_BYTES = 8 * 1024;

/** Wrong guesses at one client from one address: ten at once, then one every ten seconds. */
const FAILURES = { ratePerS: 0.1, burst: 10, maxKeys: 100_000 };

export interface IdentityDeps extends TokenDeps {
  directory: Directory;
  answers: AnswerLog;
  isSandbox: boolean;
  /** Requests by address, whoever they claim to be. */
  addressLimit: TokenBuckets;
  listener: ListenerOptions;
}

/** The identity server: tokens for client credentials, and the keys that verify them. */
export function createIdentity(deps: IdentityDeps): FastifyInstance {
  const app = Fastify({
    ...deps.listener,
    bodyLimit: MAX_BODY_BYTES,
    frameworkErrors: (_error, _request, reply) => nothingHere(reply),
  });
  acceptAnyExpectation(app.server);
  app.decorateRequest("receivedMs", 0);
  const failures = new TokenBuckets({ ...FAILURES, nowMs: () => performance.now() });
  app.addHook("onRequest", async (request) => deps.answers.received(request));
  if (deps.isSandbox) allowReferencePage(app, deps.addresses);
  // Before the body is read: whatever it is, the method is wrong.
  app.addHook("onRequest", async ({ method, url }, reply) => {
    if (method === "POST" || url.split("?")[0] !== TOKEN_PATH) return;
    await reply
      .code(405)
      .header("allow", "POST")
      .send({ error: "invalid_request", error_description: "The token endpoint takes POST." });
  });

  // The body is read as it is: a wrong content type must be answered in the token server's own terms.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, request, reply) =>
    sendError(deps.answers, asTokenError(error), request, reply),
  );

  app.post(TOKEN_PATH, async (request, reply) => {
    const address = addressKey(request.ip);
    const flood = deps.addressLimit.take(address);
    if (!flood.ok) throw tooMany(flood.retryAfterS);

    const { authorization } = readAuthenticationHeaders(request.raw.rawHeaders);
    const client = await authenticateClient(deps, failures, address, authorization);
    const contentType = request.headers["content-type"];
    const requested = readTokenRequest(client.clientId, contentType, String(request.body ?? ""));
    const granted = requested ?? client.defaultScopes;
    if (!granted.every((scope) => client.allowedScopes.includes(scope))) throw invalidScope();
    const token = await issueToken(deps, client.clientId, granted);
    deps.answers.answered(request, 200, "");
    partIfStopping(reply.raw);
    return reply.headers(NO_STORE).send({
      access_token: token,
      token_type: "Bearer",
      expires_in: deps.tokenTtlS,
      scope: granted.join(" "),
    });
  });
  app.get("/.well-known/jwks.json", () => ({
    keys: deps.signingKeys.published.map((key) => key.publicJwk),
  }));
  app.get("/.well-known/openid-configuration", () => ({
    issuer: deps.addresses.identity,
    token_endpoint: `${deps.addresses.identity}${TOKEN_PATH}`,
    jwks_uri: `${deps.addresses.identity}/.well-known/jwks.json`,
    grant_types_supported: ["client_credentials"],
    token_endpoint_auth_methods_supported: ["client_secret_basic"],
    scopes_supported: ["CardAPIs", "CardSecrets"],
    response_types_supported: [],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
  }));
  app.setNotFoundHandler((_request, reply) => nothingHere(reply));
  return app;
}

const nothingHere = (reply: FastifyReply): FastifyReply =>
  reply.code(404).send({ error: "not_found", error_description: "There is nothing here." });

const NO_STORE = { "cache-control": "no-store", pragma: "no-cache" };

async function authenticateClient(
  { directory, clock }: IdentityDeps,
  failures: TokenBuckets,
  address: string,
  authorization: string | undefined,
): Promise<Client> {
  const given = readBasic(authorization);
  if (given === undefined) throw invalidClient("The client must authenticate with HTTP Basic.");
  // Guesses are counted by address and client together: whoever tries to lock a client out locks out
  // only the address they try from.
  const guesses = `${address} ${given.clientId.slice(0, 100)}`;
  const left = failures.peek(guesses);
  if (!left.ok) throw tooMany(left.retryAfterS);

  const client = await directory.find(given.clientId);
  if (client === undefined || !knowsSecret(client, given.secret, clock.nowMs())) {
    failures.take(guesses);
    throw invalidClient("The client id or the client secret is wrong.");
  }
  if (!client.enabled) {
    throw new TokenError(403, "unauthorized_client", "The client or its organization is disabled.");
  }
  return client;
}

/** Looks at every secret, so that time does not tell which of them was near. */
function knowsSecret(client: Client, given: string, nowMs: number): boolean {
  return liveSecrets(client, nowMs).filter((secret) => sameSecret(given, secret)).length > 0;
}

function asTokenError(error: unknown): TokenError | Error {
  if (error instanceof TokenError) return error;
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500) {
    return new TokenError(400, "invalid_request", "The request could not be read.");
  }
  return error instanceof Error ? error : new Error(String(error));
}

function sendError(
  answers: AnswerLog,
  error: TokenError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.headers(NO_STORE);
  partIfStopping(reply.raw);
  if (!(error instanceof TokenError)) {
    const status = isUnavailable(error) ? 503 : 500;
    answers.failed(request, error, "the token server failed");
    answers.answered(request, status, "server_error");
    return reply
      .code(status)
      .send({ error: "server_error", error_description: "The token could not be issued." });
  }
  if (error.status === 401) {
    reply.header("www-authenticate", 'Basic realm="florin", charset="UTF-8"');
  }
  if (error.retryAfterS !== undefined) reply.header("retry-after", error.retryAfterS);
  answers.answered(request, error.status, error.error);
  return reply.code(error.status).send({ error: error.error, error_description: error.message });
}

const invalidClient = (description: string): TokenError =>
  new TokenError(401, "invalid_client", description);

const tooMany = (retryAfterS: number): TokenError =>
  new TokenError(
    429,
    "temporarily_unavailable",
    "Too many attempts; try again later.",
    retryAfterS,
  );
