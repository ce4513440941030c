import type { IncomingMessage } from "node:http";
import { addressKey } from "../foundation/address.ts";
import type { Clock } from "../foundation/clock.ts";
import { Failure } from "../foundation/failure.ts";
import { isSecretHeader } from "../foundation/keyring.ts";
import type { TokenBuckets } from "../foundation/token-bucket.ts";
import { type Client, type Directory, liveSecrets } from "../identity/directory.ts";
import type { Scope } from "../identity/scopes.ts";
import type { Grant, TokenVerifier } from "../identity/tokens.ts";
import { readReference } from "../references/claim.ts";
import { standardForm } from "./addresses.ts";
import { type AuthenticationHeaders, readAuthenticationHeaders } from "./headers.ts";
import { verifySignature } from "./signature.ts";

export interface AuthenticationDeps {
  clock: Clock;
  verifier: TokenVerifier;
  directory: Directory;
  addresses: { readonly api: string };
  /** Calls that are not, or not yet, authenticated, by address. */
  addressLimit: TokenBuckets;
  /** Authenticated calls, by client. */
  clientLimit: TokenBuckets;
  /** Whether a refused signature may say what should have been signed. */
  explain: boolean;
}

/** A request, as far as authentication is concerned; its address is looked up only when it is asked for. */
interface Sender {
  readonly raw: IncomingMessage;
  readonly ip: string;
  refusedFor: string | undefined;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Whose request was refused, where its token and its client were right and something else was not. */
    refusedFor: string | undefined;
  }
}

/** Who calls, once all that the headers claim has been proved. */
export interface Identity {
  organizationId: string;
  clientId: string;
  reference: string;
  /** Whether they may see what is printed on a card: its number and its CVV. */
  maySeeSecrets: boolean;
}

/**
 * The checks of a request's headers, in the order that the API promises. Where token and client are both in
 * memory, as for nearly every request, they are checked synchronously.
 */
export function authenticate(
  deps: AuthenticationDeps,
  request: Sender,
  scope: Scope,
): Identity | Promise<Identity> {
  const headers = readAuthenticationHeaders(request.raw.rawHeaders);
  const token = readBearer(headers);
  const grant = token === undefined ? undefined : deps.verifier.recall(token);
  const client = grant === undefined ? undefined : deps.directory.recall(grant.clientId);
  if (grant === undefined || client === undefined) {
    return authenticateAfresh(deps, request, headers, scope);
  }
  try {
    return checkHeaders(deps, request.raw, headers, grant, client, scope);
  } catch (error) {
    blame(request, client, error);
    // A known token does not make its holder's bad requests free.
    if (error instanceof Failure && error.codeName !== "NO_ACTION_TAKEN") {
      takeFromAddress(deps, request.ip);
    }
    throw error;
  }
}

async function authenticateAfresh(
  deps: AuthenticationDeps,
  request: Sender,
  headers: AuthenticationHeaders,
  scope: Scope,
): Promise<Identity> {
  const { raw, ip } = request;
  const token = readBearer(headers);
  // Whoever holds a token that was verified before is not a stranger, even if the rest must be read anew.
  if (token === undefined || deps.verifier.recall(token) === undefined) takeFromAddress(deps, ip);
  const grant = token === undefined ? undefined : await deps.verifier.verify(token);
  if (grant === undefined) throw badToken(token);
  const client = await deps.directory.find(grant.clientId);
  try {
    return checkHeaders(deps, raw, headers, grant, client, scope);
  } catch (error) {
    blame(request, client, error);
    throw error;
  }
}

/** Whoever holds an organization's token may see, in its request log, why a request of theirs was refused. */
function blame(request: Sender, client: Client | undefined, error: unknown): void {
  const isTheirs = error instanceof Failure && error.codeName !== "AUTHENTICATION_FAILED";
  if (isTheirs) request.refusedFor = client?.organizationId;
}

function checkHeaders(
  deps: AuthenticationDeps,
  request: IncomingMessage,
  headers: AuthenticationHeaders,
  grant: Grant,
  client: Client | undefined,
  scope: Scope,
): Identity {
  if (client === undefined || headers.serviceauthorization !== client.serviceAuthorization) {
    throw unauthenticated("AUTHENTICATION_FAILED", {
      message:
        "ServiceAuthorization must be 'ServiceAuth ' + base64(clientId) of the token's client",
    });
  }
  if (!client.enabled) throw new Failure("ORGANIZATION_DISABLED");
  if (!grant.scopes.has(scope)) {
    throw new Failure("UNAUTHORIZED", { message: `The token lacks the scope ${scope}` });
  }
  if (!isSecretHeader(headers.uniquekey ?? "", client.uniqueKey))
    throw unauthenticated("INVALID_UNIQUE_KEY");
  const reference = readReference(headers.reference);
  checkSignature(deps, request, headers, client, reference);

  const rate = deps.clientLimit.take(client.clientId);
  if (!rate.ok) throw rateLimited(rate.retryAfterS);
  const { organizationId, clientId } = client;
  return { organizationId, clientId, reference, maySeeSecrets: grant.scopes.has("CardSecrets") };
}

/** The name of a scheme may be written in any case. */
const BEARER = /^Bearer /i;

function readBearer({ authorization }: AuthenticationHeaders): string | undefined {
  return BEARER.test(authorization ?? "") ? authorization?.slice("Bearer ".length) : undefined;
}

/** A 401, which HTTP wants to say how to authenticate. */
function unauthenticated(
  codeName: "AUTHENTICATION_FAILED" | "INVALID_UNIQUE_KEY" | "SECURITY_ERROR",
  options: { message?: string; challenge?: string } = {},
): Failure {
  return new Failure(codeName, { challenge: CHALLENGE, ...options });
}

const CHALLENGE = 'Bearer realm="florin"';

function badToken(token: string | undefined): Failure {
  if (token === undefined) {
    const message = "Authorization must be 'Bearer ' + an access token";
    return unauthenticated("AUTHENTICATION_FAILED", { message });
  }
  return unauthenticated("AUTHENTICATION_FAILED", {
    message: "The access token is invalid or has expired",
    challenge: `${CHALLENGE}, error="invalid_token"`,
  });
}

function checkSignature(
  deps: AuthenticationDeps,
  request: IncomingMessage,
  { signature = "" }: AuthenticationHeaders,
  client: Client,
  reference: string,
): void {
  const { clientId } = client;
  const method = request.method ?? "";
  const target = request.url ?? "";
  const secrets = liveSecrets(client, deps.clock.nowMs());
  const isSigned = (url: string): boolean =>
    secrets.some((clientSecret) =>
      verifySignature(signature, { method, url, reference, clientId, clientSecret }),
    );
  const url = deps.addresses.api + target;
  if (isSigned(url)) return;
  const standardUrl = standardForm(deps.addresses.api) + target;
  if (standardUrl !== url && isSigned(standardUrl)) return;
  throw unauthenticated("SECURITY_ERROR", {
    message: deps.explain
      ? `Signature does not match; sign ${method} and exactly ${url}`
      : "Signature does not match",
  });
}

/** Every call that is not, or not yet, authenticated costs its address one. */
export function takeFromAddress(deps: Pick<AuthenticationDeps, "addressLimit">, ip: string): void {
  const allowance = deps.addressLimit.take(addressKey(ip));
  if (!allowance.ok) throw rateLimited(allowance.retryAfterS);
}

function rateLimited(retryAfterS: number): Failure {
  return new Failure("NO_ACTION_TAKEN", {
    message: "Rate limit exceeded; try again later",
    retryAfterS,
  });
}
