import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { until } from "./eventually.ts";

/** A message as it arrived. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape.
  body: any;
}

type Answer = (response: ServerResponse, message: Received) => void;

/** Where a client takes webhooks: a real server that notes what arrives and answers as it is told. */
export class Receiver {
  readonly received: Received[] = [];
  connections = 0;
  #server: Server | undefined;
  #port = 0;
  #answer: Answer = (response) => response.writeHead(200).end();

  static async open(): Promise<Receiver> {
    const receiver = new Receiver();
    await receiver.comeUp();
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hooks`;
  }

  /** The ids of what arrived, each once, in the order of its first arrival. */
  get ids(): string[] {
    return [...new Set(this.received.map(({ body }) => body.eventId as string))];
  }

  answerWith(answer: number | Answer): void {
    this.#answer =
      typeof answer === "number" ? (response) => response.writeHead(answer).end() : answer;
  }

  /** Waits until so many messages have arrived. */
  async until(count: number): Promise<Received[]> {
    await until(`${count} messages have arrived`, () => this.received.length >= count).catch(
      (error: Error) => {
        error.message += `; there are ${this.received.length}`;
        throw error;
      },
    );
    return this.received;
  }

  /** From now on nobody listens there. */
  async goDown(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }

  /** Listens again, at the same address as before. */
  async comeUp(): Promise<void> {
    const server = createServer((request, response) => this.#take(request, response));
    server.on("connection", () => {
      this.connections += 1;
    });
    server.listen(this.#port, "127.0.0.1");
    await once(server, "listening");
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const { url: path = "", headers } = request;
      const message = { path, headers, text, body: JSON.parse(text) };
      this.received.push(message);
      this.#answer(response, message);
    });
  }
}

/** What a client does with each message; throws unless the secret has signed it, just now. */
export function verify(
  message: Pick<Received, "text" | "headers"> | undefined,
  secret: string,
): unknown {
  if (message === undefined) throw new Error("There is no message.");
  return new Webhook(secret).verify(message.text, message.headers as Record<string, string>);
}
