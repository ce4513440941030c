import { isScope, type Scope } from "./scopes.ts";

/** A refusal in the form of RFC 6749, section 5.2. */
export class TokenError extends Error {
  readonly status: 400 | 401 | 403 | 429;
  readonly error: string;
  readonly retryAfterS: number | undefined;

  constructor(
    status: 400 | 401 | 403 | 429,
    error: string,
    description: string,
    retryAfterS?: number,
  ) {
    super(description);
    this.name = "TokenError";
    this.status = status;
    this.error = error;
    this.retryAfterS = retryAfterS;
  }
}

/** Client id and secret from `Authorization: Basic`; undefined when there is nothing of the kind. */
export function readBasic(
  header: string | undefined,
): { clientId: string; secret: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  if (colon < 1) return undefined;
  return { clientId: decoded.slice(0, colon), secret: decoded.slice(colon + 1) };
}

/** The scopes that a client's token request asks for; undefined when it leaves them to the client's default. */
export function readTokenRequest(
  clientId: string,
  contentType: string | undefined,
  body: string,
): readonly Scope[] | undefined {
  if (!/^application\/x-www-form-urlencoded\b/i.test(contentType ?? "")) {
    throw invalidRequest("The body must be application/x-www-form-urlencoded.");
  }
  const form = new URLSearchParams(body);
  for (const name of new Set(form.keys())) {
    if (form.getAll(name).length > 1) throw invalidRequest("A parameter is repeated.");
  }
  // Which of two ways to authenticate would count is not ours to guess. A parameter without a value is none.
  if (form.get("client_secret") || (form.get("client_id") || clientId) !== clientId) {
    throw invalidRequest("The client must authenticate with HTTP Basic alone.");
  }
  const grantType = form.get("grant_type");
  if (grantType === null || grantType === "") throw invalidRequest("grant_type is missing.");
  if (grantType !== "client_credentials") {
    throw new TokenError(400, "unsupported_grant_type", "grant_type must be client_credentials.");
  }
  return readScopes(form.get("scope"));
}

function readScopes(text: string | null): readonly Scope[] | undefined {
  const names = (text ?? "").split(" ").filter((name) => name !== "");
  if (names.length === 0) return undefined;
  return [...new Set(names)].map((name) => {
    if (!isScope(name)) throw invalidScope();
    return name;
  });
}

export const invalidScope = (): TokenError =>
  new TokenError(
    400,
    "invalid_scope",
    "A requested scope is unknown or not granted to this client.",
  );

const invalidRequest = (description: string): TokenError =>
  new TokenError(400, "invalid_request", description);
