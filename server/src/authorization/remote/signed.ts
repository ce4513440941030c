import type { Recipient } from "../settings/settings-book.ts";
import type { Posted } from "./connection.ts";
import type { RemoteMessage } from "./message.ts";

/** A message as Standard Webhooks has it. The time is real: receivers compare it with theirs. */
export function signed(signer: Recipient["signer"], message: RemoteMessage): Posted {
  const body = JSON.stringify(message);
  const at = new Date();
  return {
    headers: {
      "content-type": "application/json",
      "user-agent": "Florin-Authorizations/1",
      "webhook-id": message.requestId,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": signer.sign(message.requestId, at, body),
    },
    body,
  };
}
