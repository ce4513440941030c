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

interface Answer {
  data: Record<string, unknown>;
}

const JSON_TYPE = { "content-type": "application/json" };

interface Sandbox {
  apiUrl: string;
  identityUrl: string;
  clientId: string;
  clientSecret: string;
  uniqueKey: string;
}

export interface Client {
  /** Calls with a fresh token and all that is needed to sign them. */
  prepare(calls: readonly Call[]): Promise<Order[]>;
  /** Sends what was prepared, signed anew each time. */
  send(order: Order): Promise<Answer>;
  /** What a call is answered with. */
  call(call: Call): Promise<Answer>;
  /** The body that a GET is answered with. */
  get(path: string): Promise<object>;
}

/** Calls the service as its sandbox organization, or as whoever has these credentials. */
export async function openClient(
  dataDir: string,
  credentials: Partial<Sandbox> = {},
): Promise<Client> {
  const file = JSON.parse(await readFile(join(dataDir, "sandbox.json"), "utf8")) as Sandbox;
  const sandbox = { ...file, ...credentials };
  const { apiUrl, clientId, clientSecret, uniqueKey } = sandbox;
  const prepare = async (calls: readonly Call[]): Promise<Order[]> => {
    const token = await fetchToken(sandbox);
    return calls.map(({ method, path, body }) => ({
      origin: apiUrl,
      method,
      path: `/api/v1${path}`,
      ...(body === undefined ? {} : { body }),
      token,
      clientId,
      clientSecret,
      uniqueKey,
    }));
  };
  const send = async (order: Order): Promise<Answer> => {
    const { origin, method, path, body } = order;
    const headers = { ...headersOf(order), ...(body === undefined ? {} : JSON_TYPE) };
    const answer = await fetch(origin + path, { method, headers, body: body ?? null });
    if (answer.status !== 200)
      throw new Error(`${method} ${path} was answered with ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  const call = async (wanted: Call): Promise<Answer> => {
    const [order] = await prepare([wanted]);
    if (order === undefined) throw new Error("There is no call.");
    return send(order);
  };
  return { prepare, send, call, get: (path) => call({ method: "GET", path }) };
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
