import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sign } from "../http/signature.ts";
import { CommandError } from "./command.ts";

export interface SandboxFile {
  apiUrl: string;
  identityUrl: string;
  clientId: string;
  clientSecret: string;
  uniqueKey: string;
}

/** What the running sandbox wrote for its clients. */
export async function readSandbox(dataDir: string): Promise<SandboxFile> {
  const path = join(dataDir, "sandbox.json");
  try {
    return JSON.parse(await readFile(path, "utf8")) as SandboxFile;
  } catch {
    throw new CommandError(`${path} cannot be read: is the sandbox running (npm start)?`);
  }
}

/** Signs and sends one request, as any other client would. */
export async function send(
  sandbox: SandboxFile,
  method: string,
  url: string,
  reference: string,
  body: string | boolean | undefined,
): Promise<Response> {
  const { clientId, clientSecret, uniqueKey } = sandbox;
  const headers: Record<string, string> = {
    authorization: `Bearer ${await fetchToken(sandbox)}`,
    serviceauthorization: `ServiceAuth ${Buffer.from(clientId).toString("base64")}`,
    uniquekey: uniqueKey,
    reference,
    signature: sign(method, url, reference, clientId, clientSecret),
  };
  if (typeof body !== "string") return fetch(url, { method, headers });
  return fetch(url, { method, headers: { ...headers, "content-type": "application/json" }, body });
}

async function fetchToken({ identityUrl, clientId, clientSecret }: SandboxFile): Promise<string> {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  const answer = await fetch(`${identityUrl}/connect/token`, {
    method: "POST",
    headers: {
      authorization: `Basic ${basic}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: "grant_type=client_credentials",
  }).catch(() => {
    throw new CommandError(`${identityUrl} does not answer: is the sandbox running (npm start)?`);
  });
  const { access_token: token } = (await answer.json()) as { access_token?: string };
  if (token === undefined)
    throw new CommandError(`The identity server refused these credentials (${answer.status}).`);
  return token;
}
