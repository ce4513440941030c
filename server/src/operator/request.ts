import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { randomSecret } from "../foundation/keyring.ts";
import { sign } from "../http/signature.ts";
import { type Command, CommandError, readArguments } from "./command.ts";

interface SandboxFile {
  apiUrl: string;
  identityUrl: string;
  clientId: string;
  clientSecret: string;
  uniqueKey: string;
}

/** A client in a few lines: it talks to the running sandbox as any other client would. */
export const requestCommand: Command = {
  name: "request",
  parameters: "<method> <path> [--body JSON] [--reference R]",
  summary: "Sign and send one request to the running sandbox: request GET /wallets",
  run: async (invocation) => {
    const { positionals, values } = readArguments(invocation, ["method", "path"], {
      body: { type: "string" },
      reference: { type: "string" },
    });
    const [method, path] = positionals;
    const sandbox = await readSandbox(invocation.config.dataDir);
    const url = `${sandbox.apiUrl}/api/v1${path.startsWith("/") ? path : `/${path}`}`;
    const reference = String(values.reference ?? randomSecret(15));
    const answer = await send(sandbox, method.toUpperCase(), url, reference, values.body);
    invocation.print(JSON.stringify(await answer.json(), null, 2));
    return answer.ok ? 0 : 1;
  },
};

async function readSandbox(dataDir: string): Promise<SandboxFile> {
  const path = join(dataDir, "sandbox.json");
  try {
    return JSON.parse(await readFile(path, "utf8")) as SandboxFile;
  } catch {
    throw new CommandError(`${path} cannot be read: is the sandbox running (npm start)?`);
  }
}

async function send(
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
