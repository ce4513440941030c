import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import pg from "pg";

/** What PostgreSQL says when it lets somebody in: authenticated, and ready for a query. */
const WELCOME = Buffer.from("R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I", "latin1");
const TERMINATE = "X".charCodeAt(0);

/**
 * As a pooler in transaction mode with one session: all its clients have that one, and it lives on without
 * them. They must take turns by themselves.
 */
export class TransactionPooler {
  readonly url: string;
  readonly #listener: Server;
  readonly #session: pg.Client;
  readonly #clients = new Set<Socket>();

  private constructor(listener: Server, session: pg.Client) {
    this.#listener = listener;
    this.#session = session;
    const { port } = listener.address() as AddressInfo;
    this.url = `postgres://anybody@127.0.0.1:${port}/any`;
  }

  static async before(databaseUrl: string): Promise<TransactionPooler> {
    const session = new pg.Client({ connectionString: databaseUrl });
    await session.connect();
    const listener = createServer().listen(0, "127.0.0.1");
    await once(listener, "listening");
    const pooler = new TransactionPooler(listener, session);
    listener.on("connection", (client) => pooler.#accept(client));
    return pooler;
  }

  async close(): Promise<void> {
    const closed = once(this.#listener, "close");
    this.#listener.close();
    for (const client of this.#clients) client.destroy();
    await Promise.all([closed, this.#session.end()]);
  }

  /** The socket below the session, on which whole messages are passed on. */
  get #server(): Socket {
    return (this.#session as unknown as { connection: { stream: Socket } }).connection.stream;
  }

  #accept(client: Socket): void {
    this.#clients.add(client);
    client.on("error", () => undefined);
    client.once("data", () => {
      client.write(WELCOME);
      client.on("data", (bytes) => this.#pass(client, bytes));
    });
  }

  #pass(client: Socket, bytes: Buffer): void {
    if (bytes[0] === TERMINATE) {
      client.end();
      return;
    }
    this.#server.removeAllListeners("data");
    this.#server.on("data", (answer) => client.write(answer));
    this.#server.write(bytes);
  }
}
