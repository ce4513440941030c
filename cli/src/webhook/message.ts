import { createHmac } from "node:crypto";
import { usageFailure } from "../exit.ts";

/** A message in the format of Standard Webhooks, ready to be sent. */
export interface SignedMessage {
  headers: Record<string, string>;
  body: string;
}

const PREFIX = "whsec_";

/** The key inside `whsec_…`; anything else is refused before something is signed with it. */
export function readSecret(text: string): Buffer {
  const key = Buffer.from(text.startsWith(PREFIX) ? text.slice(PREFIX.length) : "", "base64");
  if (key.length < 16)
    throw usageFailure("A webhook secret begins with whsec_ and goes on in Base64.");
  return key;
}

export function signMessage(
  key: Buffer,
  id: string,
  body: string,
  timestampS: number = Math.floor(Date.now() / 1000),
): SignedMessage {
  const signature = createHmac("sha256", key)
    .update(`${id}.${timestampS}.${body}`)
    .digest("base64");
  return {
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(timestampS),
      "webhook-signature": `v1,${signature}`,
    },
    body,
  };
}
