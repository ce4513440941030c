import { createHmac } from "node:crypto";

export interface SumsubCredentials {
  appToken: string;
  secretKey: string;
}

interface SignedRequest {
  method: "GET" | "POST";
  /** Path and query exactly as they go over the wire. */
  target: string;
  body: Buffer | undefined;
}

/**
 * The headers that prove who calls: a lower-case hexadecimal HMAC-SHA256 over the time in seconds,
 * the method, the target and the bytes of the body, with nothing in between.
 */
export function authHeaders(
  { appToken, secretKey }: SumsubCredentials,
  { method, target, body }: SignedRequest,
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const hmac = createHmac("sha256", secretKey).update(timestamp + method + target);
  if (body !== undefined) hmac.update(body);
  return {
    "X-App-Token": appToken,
    "X-App-Access-Ts": timestamp,
    "X-App-Access-Sig": hmac.digest("hex"),
  };
}
