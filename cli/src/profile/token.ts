import { reasonOf } from "../connection-failure.ts";
import { CommandFailure, exitCodes } from "../exit.ts";
import type { Profile } from "./profile.ts";

const TIMEOUT_MS = 10_000;

export interface Token {
  token: string;
  scope: string;
  expiresInS: number;
}

/** A token of its own, for commands that show or examine one. */
export async function fetchToken(profile: Profile): Promise<Token> {
  const { identityUrl, clientId, clientSecret } = profile;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  const answer = await fetch(`${identityUrl}/connect/token`, {
    method: "POST",
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    const reason = reasonOf(error, TIMEOUT_MS);
    throw new CommandFailure(
      `The identity server ${identityUrl} does not answer: ${reason}.`,
      exitCodes.unreachable,
    );
  });
  const body = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  if (!answer.ok || typeof body.access_token !== "string") {
    const why = String(body.error_description ?? body.error ?? `HTTP ${answer.status}`);
    throw new CommandFailure(`The identity server refuses this client: ${why}`);
  }
  return {
    token: body.access_token,
    scope: String(body.scope),
    expiresInS: Number(body.expires_in),
  };
}
