import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import pg from "pg";

/** What PostgreSQL says when it lets somebody in: authenticated, and ready for a query. */
const WELCOME = Buffer.from("R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I", "latin1");
const TERMINATE = "X".charCodeAt(0);
const READY = "Z".charCodeAt(0);
const IDLE = "I".charCodeAt(0);
/** A message is its type, the length of all that follows the type, and its contents. */
const HEAD_BYTES = 5;

/**
 * As a pooler in transaction mode: its clients take turns at few sessions, which live on without them. Each
 * transaction gets the session that was free for longest, so that nobody finds again what they left in one.
 */
export class TransactionPooler {
  readonly url: string;
  readonly #listener: Server;
  readonly #sessions: pg.Client[];
  readonly #free: Socket[];
  /** Clients that wait for a session, with what they want to send. */
  readonly #waiting: (() => void)[] = [];
  readonly #clients = new Set<Socket>();

  private constructor(listener: Server, sessions: pg.Client[]) {
    this.#listener = listener;
    this.#sessions = sessions;
    this.#free = sessions.map(socketOf);
    const { port } = listener.address() as AddressInfo;
    this.url = `postgres://anybody@127.0.0.1:${port}/any`;
  }

  static async before(databaseUrl: string, sessions = 1): Promise<TransactionPooler> {
    const opened = Array.from(
      { length: sessions },
      () => new pg.Client({ connectionString: databaseUrl }),
    );
    await Promise.all(opened.map((session) => session.connect()));
    const listener = createServer().listen(0, "127.0.0.1");
    await once(listener, "listening");
    const pooler = new TransactionPooler(listener, opened);
    listener.on("connection", (client) => pooler.#accept(client));
    return pooler;
  }

  async close(): Promise<void> {
    const closed = once(this.#listener, "close");
    this.#listener.close();
    for (const client of this.#clients) client.destroy();
    await Promise.all([closed, ...this.#sessions.map((session) => session.end())]);
  }

  #accept(client: Socket): void {
    this.#clients.add(client);
    client.on("error", () => undefined);
    client.once("data", () => {
      client.write(WELCOME);
      let session: Socket | undefined;
      client.on("data", (bytes) => {
        if (bytes[0] === TERMINATE) client.end();
        else if (session !== undefined) session.write(bytes);
        else {
          this.#lend((lent) => {
            session = lent;
            this.#serve(client, lent, () => {
              session = undefined;
            });
            lent.write(bytes);
          });
        }
      });
    });
  }

  #lend(use: (session: Socket) => void): void {
    const session = this.#free.shift();
    if (session === undefined) this.#waiting.push(() => this.#lend(use));
    else use(session);
  }

  /** Passes answers on until the transaction is over, then gives the session to whoever waits. */
  #serve(client: Socket, session: Socket, onOver: () => void): void {
    let rest = Buffer.alloc(0);
    session.removeAllListeners("data");
    session.on("data", (answer: Buffer) => {
      rest = Buffer.concat([rest, answer]);
      let isOver = false;
      for (let at = 0; ; ) {
        const length = rest.length < at + HEAD_BYTES ? 0 : 1 + rest.readUInt32BE(at + 1);
        if (length === 0 || rest.length < at + length) {
          rest = rest.subarray(at);
          break;
        }
        isOver = rest[at] === READY && rest[at + HEAD_BYTES] === IDLE;
        at += length;
      }
      if (isOver) {
        onOver();
        this.#free.push(session);
        this.#waiting.shift()?.();
      }
      client.write(answer);
    });
  }
}

/** The socket below a session, on which whole messages are passed on. */
const socketOf = (session: pg.Client): Socket =>
  (session as unknown as { connection: { stream: Socket } }).connection.stream;
