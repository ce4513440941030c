import { signedHeaders } from "../../outbound/signed-headers.ts";
import type { Recipient } from "../settings/settings-book.ts";
import type { Posted } from "./connection.ts";
import type { RemoteMessage } from "./message.ts";

export function signed(signer: Recipient["signer"], message: RemoteMessage): Posted {
  const body = JSON.stringify(message);
  const named = { id: message.requestId, body };
  return { headers: signedHeaders("Florin-Authorizations/1", named, [signer]), body };
}
