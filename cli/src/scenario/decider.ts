import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { usageFailure } from "../exit.ts";
import type { Fields } from "./scenario.ts";

const ADVICES = ["Settlement", "PartialReversal", "Reversal", "Refund"];
const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** A client's server that decides purchases, as a scenario wants it to: for the service on this machine. */
export class Decider {
  readonly #server: Server;
  #behaviour: Fields = {};
  /** The request types of what came, in order. */
  readonly questions: string[] = [];
  readonly advices: string[] = [];

  private constructor(server: Server) {
    this.#server = server;
    server.on("request", async (request, response) => {
      try {
        let text = "";
        for await (const chunk of request.setEncoding("utf8")) text += chunk;
        this.#take(String(JSON.parse(text).requestType), response);
      } catch {
        response.writeHead(400).end();
      }
    });
  }

  static async start(apiUrl: string): Promise<Decider> {
    if (!LOOPBACK.includes(new URL(apiUrl).hostname)) {
      throw usageFailure(
        "customer-managed works with a service on this machine only: it must reach us.",
      );
    }
    const server = createServer();
    const decider = new Decider(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return decider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/authorizations`;
  }

  behave(fields: Fields): void {
    this.#behaviour = fields;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #take(requestType: string, response: ServerResponse): void {
    if (ADVICES.includes(requestType)) {
      this.advices.push(requestType);
      response.end();
      return;
    }
    this.questions.push(requestType);
    const { answer = "Approve", afterMs = 0, responseCode } = this.#behaviour;
    if (answer === "Nothing") return;
    const body = JSON.stringify({ decision: answer, responseCode });
    setTimeout(() => response.end(body), Number(afterMs));
  }
}
