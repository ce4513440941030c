import { createHmac, type JsonWebKey, type KeyObject } from "node:crypto";
import { type JWTPayload, SignJWT } from "jose";
import type { Core } from "../../src/core.ts";
import { SigningKeys } from "../../src/identity/signing-keys.ts";

export interface Signer {
  keyId: string;
  publicJwk: JsonWebKey;
  publicKey: KeyObject;
  /** Signs any claims with the service's own key, as only a bug in the token server could. */
  sign(claims: JWTPayload, header?: Record<string, unknown>): Promise<string>;
}

export async function openSigner({ pool, vault, clock }: Core): Promise<Signer> {
  const keys = new SigningKeys({ pool, vault, clock, tokenTtlS: 3600 });
  await keys.reload();
  const { keyId, publicJwk, publicKey, privateKey } = keys.current;
  return {
    keyId,
    publicJwk,
    publicKey,
    sign: (claims, header = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: "ES256", kid: keyId, ...header })
        .sign(privateKey),
  };
}

export const encodeSegment = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token "signed" with a shared secret. */
export function signWithHmac(header: object, claims: object, secret: string | Buffer): string {
  const text = `${encodeSegment(header)}.${encodeSegment(claims)}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}
