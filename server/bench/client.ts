import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sign } from "../src/http/signature.ts";
import type { Order } from "./load/requests.ts";

/** One call of the API, below /api/v1. */
export interface Call {
  method: string;
  path: string;
  body?: string;
}

interface Sandbox {
  apiUrl: string;
  identityUrl: string;
  clientId: string;
  clientSecret: string;
  uniqueKey: string;
}

export interface Client {
  /** A call with a fresh token and all that is needed to sign it. */
  prepare(call: Call): Promise<Order>;
  /** The body that a GET is answered with. */
  get(path: string): Promise<object>;
}

/** Calls the service as its sandbox organization. */
export async function openClient(dataDir: string): Promise<Client> {
  const sandbox = JSON.parse(await readFile(join(dataDir, "sandbox.json"), "utf8")) as Sandbox;
  const { apiUrl, clientId, clientSecret, uniqueKey } = sandbox;
  const prepare = async ({ method, path, body }: Call): Promise<Order> => ({
    origin: apiUrl,
    method,
    path: `/api/v1${path}`,
    ...(body === undefined ? {} : { body }),
    token: await fetchToken(sandbox),
    clientId,
    clientSecret,
    uniqueKey,
  });
  const getBody = async (path: string): Promise<object> => {
    const order = await prepare({ method: "GET", path });
    const answer = await fetch(order.origin + order.path, { headers: headersOf(order) });
    if (answer.status !== 200)
      throw new Error(`GET ${path} was answered with ${await answer.text()}`);
    return (await answer.json()) as object;
  };
  return { prepare, get: getBody };
}

function headersOf(order: Order): Record<string, string> {
  const { origin, method, path, token, clientId, clientSecret, uniqueKey } = order;
  const reference = randomBytes(15).toString("base64url");
  return {
    authorization: `Bearer ${token}`,
    serviceauthorization: `ServiceAuth ${Buffer.from(clientId).toString("base64")}`,
    uniquekey: uniqueKey,
    reference,
    signature: sign(method, origin + path, reference, clientId, clientSecret),
  };
}

async function fetchToken({ identityUrl, clientId, clientSecret }: Sandbox): Promise<string> {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  const answer = await fetch(`${identityUrl}/connect/token`, {
    method: "POST",
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  const { access_token: token } = (await answer.json()) as { access_token?: string };
  if (token === undefined) throw new Error(`The identity server gave no token (${answer.status}).`);
  return token;
}
