import type { SentRequest } from "../shared/curl.ts";
import { base64Of, newReference, signText, textToSign } from "../shared/sign.ts";
import type { Target } from "../shared/target.ts";
import type { Credentials } from "./credentials.ts";
import { dropToken, Problem, tokenFor } from "./token.ts";

export interface Call {
  method: string;
  target: Target;
  reference: string;
  body?: string;
}

export interface Outcome {
  status: number;
  text: string;
  durationMs: number;
  request: SentRequest;
  signedText: string;
  /** What must not be shown unasked. */
  secrets: string[];
}

/** Signs a call and sends it. */
export async function send(client: Credentials, call: Call): Promise<Outcome> {
  if (globalThis.crypto?.subtle === undefined) {
    throw new Problem(
      "This browser signs only on https, localhost or 127.0.0.1: open the page there.",
    );
  }
  const reference = call.reference === "" ? newReference() : call.reference;
  const { token, isReused } = await tokenFor(client);
  const outcome = await sendOnce(client, { ...call, reference }, token);
  // A token may end early, as when a sandbox's clock is moved. Such a refusal uses up no Reference.
  if (outcome.status !== 401 || !isReused) return outcome;
  dropToken();
  return sendOnce(client, { ...call, reference }, (await tokenFor(client)).token);
}

async function sendOnce(client: Credentials, call: Call, token: string): Promise<Outcome> {
  const { method, target, reference, body } = call;
  const { clientId, clientSecret, uniqueKey } = client;
  const url = target.signedUrl;
  const signedText = textToSign({ method, url, reference, clientId, clientSecret });
  const { signature } = await signText(signedText);
  const headers = {
    Authorization: `Bearer ${token}`,
    ServiceAuthorization: `ServiceAuth ${base64Of(clientId)}`,
    UniqueKey: uniqueKey,
    Reference: reference,
    Signature: signature,
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
  };
  const startedMs = performance.now();
  const { status, text } = await transmit(target.address, { method, headers, body: body ?? null });
  return {
    status,
    text,
    durationMs: performance.now() - startedMs,
    request: { method, url, headers, ...(body === undefined ? {} : { body }) },
    signedText,
    secrets: [clientSecret, token, uniqueKey],
  };
}

async function transmit(
  address: string,
  init: RequestInit,
): Promise<{ status: number; text: string }> {
  try {
    const answer = await fetch(address, { ...init, credentials: "omit", cache: "no-store" });
    return { status: answer.status, text: await answer.text() };
  } catch {
    throw new Problem("The request got no answer: is the service still running?");
  }
}
