import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { readExtent } from "./load/answer.ts";
import type { Role } from "./roles.ts";

const PATIENCE_MS = 10_000;
const ACKNOWLEDGED = Buffer.from("HTTP/1.1 204 No Content\r\n\r\n");

export interface Receiver {
  /** Listens; gives its address. */
  listen(): Promise<string>;
  /** How many deliveries have arrived so far. */
  count(): Promise<number>;
  /** Waits for the next delivery, and tells how many milliseconds after its event's time it began to arrive. */
  nextDelay(): Promise<number>;
}

/**
 * A client's endpoint that acknowledges at once, and costs little: it shares the machine with the service, and what it
 * takes is not for deliveries to answer for.
 */
export const receiver: Role<Receiver> = () => {
  let arrived = 0;
  let waiting: ((body: Buffer, arrivedMs: number) => void) | undefined;
  const take = (body: Buffer, arrivedMs: number): void => {
    arrived++;
    const tell = waiting;
    waiting = undefined;
    tell?.(body, arrivedMs);
  };
  const server = createServer({ noDelay: true }, (socket) => acknowledge(socket, take));
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
        waiting = (body, arrivedMs) => {
          clearTimeout(patience);
          const { createdAt } = JSON.parse(body.toString()) as { createdAt: string };
          resolve(arrivedMs - Date.parse(createdAt));
        };
      }),
  };
};

/** Answers the requests of a connection, which come one at a time. */
function acknowledge(socket: Socket, take: (body: Buffer, arrivedMs: number) => void): void {
  let begun: Buffer = Buffer.alloc(0);
  let arrivedMs = 0;
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    if (begun.length === 0) arrivedMs = Date.now();
    const bytes = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
    const extent = readExtent(bytes);
    begun = extent === undefined ? bytes : Buffer.alloc(0);
    if (extent === undefined) return;
    socket.write(ACKNOWLEDGED);
    take(bytes.subarray(extent.bodyAt, extent.end), arrivedMs);
  });
}
