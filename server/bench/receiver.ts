import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Role } from "./roles.ts";

const PATIENCE_MS = 10_000;

export interface Receiver {
  /** Listens; gives its address. */
  listen(): Promise<string>;
  /** How many deliveries have arrived so far. */
  count(): Promise<number>;
  /** Waits for the next delivery, and tells how many milliseconds after its event's time it began to arrive. */
  nextDelay(): Promise<number>;
}

/** A client's endpoint that acknowledges at once. */
export const receiver: Role<Receiver> = () => {
  let arrived = 0;
  let waiting: ((delayMs: number) => void) | undefined;
  const server = createServer((request, response) => {
    const arrivedMs = Date.now();
    arrived++;
    response.writeHead(204).end();
    const tell = waiting;
    waiting = undefined;
    if (tell === undefined) request.resume();
    else void eventTimeMs(request).then((madeMs) => tell(arrivedMs - madeMs));
  });
  // Connections outlast the pauses between samples.
  server.keepAliveTimeout = 600_000;
  return {
    listen: async () => {
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
    },
    count: async () => arrived,
    nextDelay: () =>
      new Promise((resolve, reject) => {
        const giveUp = (): void => reject(new Error("An event was not delivered within 10 s."));
        const patience = setTimeout(giveUp, PATIENCE_MS);
        waiting = (delayMs) => {
          clearTimeout(patience);
          resolve(delayMs);
        };
      }),
  };
};

async function eventTimeMs(request: IncomingMessage): Promise<number> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return Date.parse((JSON.parse(text) as { createdAt: string }).createdAt);
}
