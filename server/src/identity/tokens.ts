import { decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import type { Clock } from "../foundation/clock.ts";
import { newId } from "../foundation/ids.ts";
import { isScope, type Scope } from "./scopes.ts";
import type { SigningKey, SigningKeys } from "./signing-keys.ts";

const MAX_CACHED = 20_000;

export interface TokenDeps {
  clock: Clock;
  signingKeys: SigningKeys;
  /** Asked late: with port 0 the addresses are known only after the listeners are up. */
  addresses: { readonly api: string; readonly identity: string };
  tokenTtlS: number;
}

/** What a good token says. */
export interface Grant {
  clientId: string;
  scopes: ReadonlySet<Scope>;
  expiresAtMs: number;
}

export function issueToken(
  deps: TokenDeps,
  clientId: string,
  granted: readonly Scope[],
): Promise<string> {
  const { keyId, privateKey } = deps.signingKeys.current;
  const nowMs = deps.clock.nowMs();
  const nowS = Math.floor(nowMs / 1000);
  return new SignJWT({ client_id: clientId, scope: granted.join(" ") })
    .setProtectedHeader({ alg: "ES256", kid: keyId, typ: "at+jwt" })
    .setIssuer(deps.addresses.identity)
    .setAudience(deps.addresses.api)
    .setSubject(clientId)
    .setIssuedAt(nowS)
    .setExpirationTime(nowS + deps.tokenTtlS)
    .setJti(newId("tok", nowMs))
    .sign(privateKey);
}

/**
 * Verifies access tokens; one seen before costs a look-up instead of an elliptic curve. Tokens are kept as
 * they are: digests would hide them from a heap dump, but that has the clients' secrets too, which live
 * longer, and every request would pay for it.
 */
export class TokenVerifier {
  readonly #deps: TokenDeps;
  readonly #grants = new Map<string, Grant>();

  constructor(deps: TokenDeps) {
    this.#deps = deps;
  }

  /** A grant verified earlier and still alive. */
  recall(token: string): Grant | undefined {
    const grant = this.#grants.get(token);
    return grant !== undefined && grant.expiresAtMs > this.#deps.clock.nowMs() ? grant : undefined;
  }

  /** Undefined for a bad token. Throws while its key cannot be looked up: nobody knows then whether it is. */
  async verify(token: string): Promise<Grant | undefined> {
    const recalled = this.recall(token);
    if (recalled !== undefined) return recalled;
    const keyId = keyIdOf(token);
    const key = keyId === undefined ? undefined : await this.#deps.signingKeys.find(keyId);
    if (key === undefined) return undefined;
    const grant = await this.#check(token, key).catch(() => undefined);
    if (grant !== undefined) this.#remember(token, grant);
    return grant;
  }

  /** After a change of keys every token is looked at afresh. */
  forget(): void {
    this.#grants.clear();
  }

  async #check(token: string, { publicKey }: SigningKey): Promise<Grant | undefined> {
    const { clock, addresses } = this.#deps;
    const { payload } = await jwtVerify(token, publicKey, {
      algorithms: ["ES256"],
      issuer: addresses.identity,
      audience: addresses.api,
      currentDate: clock.now(),
    });
    const { client_id: clientId, scope, exp } = payload;
    if (typeof clientId !== "string" || typeof scope !== "string" || exp === undefined)
      return undefined;
    return { clientId, scopes: new Set(scope.split(" ").filter(isScope)), expiresAtMs: exp * 1000 };
  }

  #remember(token: string, grant: Grant): void {
    if (this.#grants.size >= MAX_CACHED) this.#grants.clear();
    this.#grants.set(token, grant);
  }
}

function keyIdOf(token: string): string | undefined {
  try {
    const { kid } = decodeProtectedHeader(token);
    return typeof kid === "string" ? kid : undefined;
  } catch {
    return undefined;
  }
}
