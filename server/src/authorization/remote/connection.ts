import type { Socket } from "node:net";
import { type buildConnector, Client } from "undici";
import type { Exchange } from "../../outbound/exchange.ts";

/** How long an idle connection is kept, unless the other side says less. */
const KEEP_ALIVE_MS = 60_000;

export interface Posted {
  headers: Record<string, string>;
  body: string;
}

/** One live connection. It takes one exchange at a time, and is gone for good when it closes. */
export class Connection {
  readonly #url: URL;
  readonly #socket: Socket;
  readonly #client: Client;
  /** Whether it may have been closed by the other side without our noticing yet. */
  hasRested = false;

  constructor(url: URL, socket: Socket, onGone: (connection: Connection) => void) {
    this.#url = url;
    this.#socket = socket;
    this.#client = new Client(url.origin, {
      pipelining: 1,
      // Not at once: a client whose connector calls back synchronously forgets what it was about to send.
      connect: (_target, callback) => queueMicrotask(() => handOver(socket, callback)),
      // An exchange has a deadline of its own, to the millisecond.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
    });
    socket.once("close", () => onGone(this));
  }

  get isAlive(): boolean {
    return !this.#socket.destroyed;
  }

  post({ headers, body }: Posted, exchange: Exchange): void {
    const { pathname, search } = this.#url;
    this.#client.dispatch({ method: "POST", path: pathname + search, headers, body }, exchange);
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** A client that is given a dead socket connects again and again; a connection error makes it stop. */
function handOver(socket: Socket, callback: buildConnector.Callback): void {
  if (!socket.destroyed) callback(null, socket);
  else callback(Object.assign(new Error("The connection is gone."), { code: "ECONNRESET" }), null);
}

/** Opens a connection to an address, for https including the TLS handshake. */
export function openSocket(connect: buildConnector.connector, url: URL): Promise<Socket> {
  const { protocol, port, host } = url;
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    connect({ protocol, port, host, hostname }, (error, socket) => {
      if (error !== null) reject(error);
      else resolve(socket);
    });
  });
}
