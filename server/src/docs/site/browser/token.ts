import { base64Of } from "../shared/sign.ts";
import type { Credentials } from "./credentials.ts";
import { page } from "./page.ts";

interface Held {
  clientId: string;
  token: string;
  endsAtMs: number;
}

/** Kept in memory only: a new page asks for a new one. */
let held: Held | undefined;

const MARGIN_MS = 10_000;

/** Something that a person can read, instead of an answer. */
export class Problem extends Error {}

/** A token that still holds, and whether it is one from before. */
export async function tokenFor(client: Credentials): Promise<{ token: string; isReused: boolean }> {
  if (held?.clientId === client.clientId && performance.now() < held.endsAtMs) {
    return { token: held.token, isReused: true };
  }
  held = await requestToken(client);
  return { token: held.token, isReused: false };
}

export function dropToken(): void {
  held = undefined;
}

async function requestToken({ clientId, clientSecret }: Credentials): Promise<Held> {
  const answer = await fetch(`${page.identityUrl}/connect/token`, {
    method: "POST",
    headers: { Authorization: `Basic ${base64Of(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
    credentials: "omit",
    cache: "no-store",
  }).catch(() => {
    throw new Problem(
      `The identity server at ${page.identityUrl} cannot be reached from this page.`,
    );
  });
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    throw new Problem(`No token: ${said.error_description ?? `HTTP ${answer.status}`}`);
  }
  const endsAtMs = performance.now() + said.expires_in * 1000 - MARGIN_MS;
  return { clientId, token: said.access_token, endsAtMs };
}
