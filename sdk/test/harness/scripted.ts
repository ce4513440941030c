import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Florin, type FlorinError, type FlorinOptions } from "@florin/sdk";
import { expect } from "vitest";

export interface Seen {
  method: string;
  path: string;
  reference: string;
  authorization: string;
  body: string;
}

/** How one call is answered. */
export type Line = (response: ServerResponse, seen: Seen) => void;

/**
 * A stand-in for both servers that says its lines one after another, whoever calls; the last line stays.
 * For what a real service does too rarely to be waited for.
 */
export class Scripted {
  readonly calls: Seen[] = [];
  readonly tokenRequests: string[] = [];
  /** How the token endpoint answers. */
  token: Line = giveToken("token-1");
  #lines: Line[] = [];
  readonly #server = createServer((request, response) => {
    // A client that gives up must not take the script down with it.
    this.#take(request, response).catch(() => undefined);
  });

  static async start(): Promise<Scripted> {
    const scripted = new Scripted();
    scripted.#server.listen(0, "127.0.0.1");
    await once(scripted.#server, "listening");
    return scripted;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  says(...lines: Line[]): void {
    this.#lines = lines;
  }

  /** A client of it, which hardly waits between attempts. */
  client(options: Partial<FlorinOptions> = {}): Florin {
    return new Florin({
      apiUrl: this.url,
      identityUrl: this.url,
      clientId: "client-1",
      clientSecret: "the-client-secret",
      uniqueKey: "the-unique-key",
      backoffMs: 1,
      ...options,
    });
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: path = "", headers } = request;
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const { reference, authorization = "" } = headers;
    const seen = { method, path, reference: String(reference ?? ""), authorization, body };
    if (path === "/connect/token") {
      this.tokenRequests.push(body);
      this.token(response, seen);
      return;
    }
    this.calls.push(seen);
    const line = this.#lines.length > 1 ? this.#lines.shift() : this.#lines[0];
    line?.(response, seen);
  }
}

export const giveToken =
  (value: string, expiresInS = 3600): Line =>
  (response) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ access_token: value, token_type: "Bearer", expires_in: expiresInS }));

export const say =
  (status: number, envelope: object | string, headers: Record<string, string> = {}): Line =>
  (response) =>
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(typeof envelope === "string" ? envelope : JSON.stringify(envelope));

export const succeed = (data: unknown): Line =>
  say(200, {
    responseCode: "000",
    responseMessage: "Success",
    finality: "TerminalSuccess",
    requestId: "req_1",
    data,
  });

export const fail = (
  status: number,
  responseCode: string,
  headers: Record<string, string> = {},
): Line => {
  const finality = status === 429 || status >= 500 ? "Indeterminate" : "TerminalFailure";
  const responseMessage = `Failure ${responseCode}`;
  return say(status, { responseCode, responseMessage, finality, requestId: "req_1" }, headers);
};

export const hangUp: Line = (response) => response.destroy();
export const saySlowly: Line = () => undefined;
export const hangUpHalfway: Line = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"responseCode":"000"', () => response.destroy());
};

/** The error that a call ends with. */
export const caught = (promise: Promise<unknown>): Promise<FlorinError> =>
  promise.then(
    () => expect.fail("It succeeded."),
    (error) => error,
  );
