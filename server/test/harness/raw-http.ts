import { connect } from "node:net";
import type { ApiAnswer, ApiClient, CallOptions } from "./api-client.ts";

const PATIENCE_MS = 10_000;

export interface RawRequest {
  method: string;
  /** The request target, sent as it is. */
  target: string;
  /** Header lines in their order; a name may come twice. */
  headers?: readonly (readonly [name: string, value: string])[];
  body?: string | Buffer;
}

/** Sends what fetch would mend or refuse to send, and reads the whole answer. */
export async function sendRaw(origin: string, request: RawRequest): Promise<ApiAnswer> {
  const answer = parseAnswer(await exchangeBytes(origin, requestBytes(origin, request)));
  if (answer === undefined) throw new Error("The connection was closed without an answer.");
  return answer;
}

/** The same with the five headers of a good call; `change` may spoil their lines. */
export async function sendSigned(
  client: ApiClient,
  method: string,
  path: string,
  options: CallOptions & { change?: (lines: HeaderLine[]) => HeaderLine[] } = {},
): Promise<ApiAnswer> {
  const { apiUrl } = client.sandbox;
  const target = `/api/v1${path}`;
  const headers = Object.entries(await client.headers(method, apiUrl + target, options));
  return sendRaw(apiUrl, {
    method,
    target,
    headers: options.change === undefined ? headers : options.change(headers),
    ...(options.body === undefined ? {} : { body: bodyText(options.body) }),
  });
}

type HeaderLine = readonly [name: string, value: string];

const bodyText = (body: unknown): string | Buffer =>
  typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);

function requestBytes(
  origin: string,
  { method, target, headers = [], body = "" }: RawRequest,
): Buffer {
  const content = Buffer.from(body as string);
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const lines = [`${method} ${target} HTTP/1.1`];
  if (!names.has("host")) lines.push(`Host: ${new URL(origin).host}`);
  if (!names.has("content-length") && !names.has("transfer-encoding") && content.length > 0) {
    lines.push(`Content-Length: ${content.length}`);
  }
  lines.push(...headers.map(([name, value]) => `${name}: ${value}`), "Connection: close");
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), content]);
}

/** Writes bytes to a listener and gives all that it says until it hangs up. */
export function exchangeBytes(origin: string, bytes: Buffer | string): Promise<Buffer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) });
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error("The listener kept silent.")));
    socket.on("connect", () => socket.write(bytes));
    socket.on("data", (chunk) => received.push(chunk));
    // A listener that refuses a request before reading all of it may reset the connection.
    socket.on("error", (error) => {
      if (received.length === 0) reject(error);
    });
    socket.on("close", () => resolve(Buffer.concat(received)));
  });
}

/** Takes an answer apart; undefined when there is none. */
export function parseAnswer(bytes: Buffer): ApiAnswer | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [statusLine = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
  if (status === 100) return parseAnswer(bytes.subarray(end + 4));
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const text = bytes.subarray(end + 4).toString("utf8");
  return { status, headers, body: parseBody(text) };
}

/** Not JSON is given as it is, for a test to stumble over. */
function parseBody(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
