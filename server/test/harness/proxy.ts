import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/**
 * What becomes of a commit on its way through the proxy: it never arrives, or it is done but nobody
 * hears of it, and then the connection breaks; or it is held up until `goDown`.
 */
export type CommitFate = "request lost" | "answer lost" | "held up";

interface Link {
  client: Socket;
  server: Socket;
  /** From now on nothing passes, in either direction. */
  silent: boolean;
  losing: boolean;
  /** What the server has said since answers are held back. */
  held: Buffer[];
}

/** Stands between a service and PostgreSQL, and has the accidents that networks have. */
export class DatabaseProxy {
  readonly url: string;
  readonly #listener: Server;
  readonly #links = new Set<Link>();
  #target: string;
  #isDown = false;
  #isSilent = false;
  #isHolding = false;
  #planned: { fate: CommitFate; at: string; happened: () => void } | undefined;

  private constructor(listener: Server, target: string) {
    this.#listener = listener;
    this.#target = target;
    const { username, password, pathname } = new URL(target);
    const { port } = listener.address() as AddressInfo;
    this.url = `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`;
    listener.on("connection", (client) => this.#accept(client));
  }

  static async before(databaseUrl: string): Promise<DatabaseProxy> {
    const listener = createServer().listen(0, "127.0.0.1");
    await once(listener, "listening");
    return new DatabaseProxy(listener, databaseUrl);
  }

  /** Lets the next commit of any connection meet its fate; resolves when it has. */
  atNextCommit(fate: CommitFate): Promise<void> {
    return this.atNext("commit\0", fate);
  }

  /** The same for whatever is sent next with this text in it, as the name of a statement. */
  atNext(text: string, fate: CommitFate): Promise<void> {
    return new Promise((resolve) => {
      this.#planned = { fate, at: text, happened: resolve };
    });
  }

  /** Cuts every connection and lets none through, until `comeUp`. */
  goDown(): void {
    this.#isDown = true;
    for (const link of this.#links) cut(link);
  }

  /** Lets connections through again, perhaps to where the database is now. */
  comeUp(target = this.#target): void {
    this.#target = target;
    this.#isDown = false;
    this.#isSilent = false;
  }

  /**
   * What is connected stays so and hears nothing any more, as behind a firewall that forgot it; so
   * does whatever connects before `comeUp`.
   */
  goSilent(): void {
    this.#isSilent = true;
    for (const link of this.#links) link.silent = true;
  }

  /** Keeps back what the database says, its farewell included, until `releaseAnswers`. */
  holdAnswers(): void {
    this.#isHolding = true;
  }

  /** Lets all that was kept back arrive at once, as it does when the receiver was busy. */
  releaseAnswers(): void {
    this.#isHolding = false;
    for (const link of this.#links) {
      const bytes = Buffer.concat(link.held.splice(0));
      if (link.server.destroyed) link.client.end(bytes);
      else if (bytes.length > 0) toClient(link, bytes);
    }
  }

  async close(): Promise<void> {
    this.goDown();
    this.#listener.close();
    await once(this.#listener, "close");
  }

  #accept(client: Socket): void {
    if (this.#isDown) {
      client.destroy();
      return;
    }
    const link: Link = {
      client,
      server: dial(this.#target),
      silent: this.#isSilent,
      losing: false,
      held: [],
    };
    this.#links.add(link);
    client.on("data", (bytes) => this.#toServer(link, bytes));
    link.server.on("data", (bytes) => {
      if (this.#isHolding) link.held.push(bytes);
      else toClient(link, bytes);
    });
    for (const socket of [client, link.server]) {
      socket.on("error", () => undefined);
      socket.on("close", () => {
        if (!link.silent && !this.#isHolding) cut(link);
      });
    }
    client.on("close", () => {
      link.server.destroy();
      this.#links.delete(link);
    });
  }

  #toServer(link: Link, bytes: Buffer): void {
    if (link.silent) return;
    if (this.#planned !== undefined && bytes.includes(this.#planned.at)) {
      const { fate, happened } = this.#planned;
      this.#planned = undefined;
      if (fate !== "answer lost") {
        if (fate === "request lost") cut(link);
        else link.silent = true;
        happened();
        return;
      }
      link.losing = true;
      link.server.once("close", happened);
    }
    link.server.write(bytes);
  }
}

function toClient(link: Link, bytes: Buffer): void {
  if (link.silent) return;
  if (!link.losing) link.client.write(bytes);
  // The tag of a finished commit: from here on it is in the database.
  else if (bytes.includes("COMMIT\0")) cut(link);
}

function cut({ client, server }: Link): void {
  client.destroy();
  server.destroy();
}

function dial(target: string): Socket {
  const { hostname, port } = new URL(target);
  const host = decodeURIComponent(hostname);
  return host.startsWith("/")
    ? connect({ path: `${host}/.s.PGSQL.${port || 5432}` })
    : connect({ host, port: Number(port || 5432) });
}
