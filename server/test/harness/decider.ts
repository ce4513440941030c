import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** What the service posted. */
export interface Call {
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape.
  message: any;
}

export type Answering = (call: Call, response: ServerResponse) => unknown;

const ADVICES = ["Settlement", "PartialReversal", "Reversal", "Refund"];

/** A client's server that decides authorizations, and hears what becomes of them. */
export class Decider {
  readonly calls: Call[] = [];
  readonly #server: Server;
  /** How questions are answered. */
  answer: Answering = approve;
  /** How advices are answered. */
  acknowledge: Answering = (_call, response) => response.end();

  private constructor(server: Server) {
    this.#server = server;
    server.on("request", async (request, response) => {
      let text = "";
      for await (const chunk of request.setEncoding("utf8")) text += chunk;
      const call: Call = { headers: request.headers, text, message: JSON.parse(text) };
      this.calls.push(call);
      const answering = isAdvice(call) ? this.acknowledge : this.answer;
      answering(call, response);
    });
  }

  static async start(port = 0): Promise<Decider> {
    const server = createServer();
    const decider = new Decider(server);
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return decider;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/authorizations?from=florin`;
  }

  get questions(): Call[] {
    return this.calls.filter((call) => !isAdvice(call));
  }

  get advices(): Call[] {
    return this.calls.filter(isAdvice);
  }

  /** The advices of one transaction, in the order in which they came. */
  advicesOf(transactionId: string): string[] {
    return this.advices
      .filter(({ message }) => message.transactionId === transactionId)
      .map(({ message }) => message.requestType);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const isAdvice = ({ message }: Call): boolean => ADVICES.includes(message.requestType);

export const saying =
  (body: unknown, status = 200): Answering =>
  (_call, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

export const approve = saying({ decision: "Approve" });
export const declineIt = saying({ decision: "Decline" });

/** Answers when it is told to. */
export function waiting(answer: Answering): {
  answering: Answering;
  go(): void;
  asked: Promise<void>;
} {
  let go: () => void = () => undefined;
  let isAsked: () => void = () => undefined;
  const told = new Promise<void>((resolve) => {
    go = resolve;
  });
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const answering: Answering = (call, response) => {
    isAsked();
    void told.then(() => answer(call, response));
  };
  return { answering, go: () => go(), asked };
}
