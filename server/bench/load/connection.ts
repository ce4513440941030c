import { connect, type Socket } from "node:net";
import { type Answer, readAnswer } from "./answer.ts";

const BUFFER_BYTES = 16 * 1024;

export interface Listener {
  answered(connection: Connection, bytes: Buffer, answer: Answer): void;
  broken(reason: string): void;
}

/** A kept-alive connection with one request in flight at most. */
export class Connection {
  /** When the request in flight was to be sent. */
  dueMs = 0;
  /** Owned by the connection, so that it can be stamped and sent again and again. */
  readonly request: Buffer;
  readonly #socket: Socket;
  readonly #listener: Listener;
  /** What has come of an answer that is not complete. */
  #begun: Buffer | undefined;

  private constructor(url: URL, request: Buffer, listener: Listener) {
    this.request = request;
    this.#listener = listener;
    this.#socket = connect({
      host: url.hostname,
      port: Number(url.port),
      noDelay: true,
      // One buffer for all that is read: the generator makes no garbage that the service would pay for.
      onread: {
        buffer: Buffer.allocUnsafe(BUFFER_BYTES),
        callback: (length, buffer) => {
          this.#read(Buffer.from(buffer.buffer, buffer.byteOffset, length));
          return true;
        },
      },
    });
  }

  static open(url: URL, request: Buffer, listener: Listener): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const connection = new Connection(url, request, listener);
      connection.#socket
        .once("connect", () => resolve(connection))
        .on("error", (error) => {
          reject(error);
          listener.broken(error.message);
        })
        .on("close", () => listener.broken("the connection was closed"));
    });
  }

  send(length: number, dueMs: number): void {
    this.dueMs = dueMs;
    this.#socket.write(this.request.subarray(0, length));
  }

  close(): void {
    this.#socket.removeAllListeners("close").destroy();
  }

  #read(chunk: Buffer): void {
    const bytes = this.#begun === undefined ? chunk : Buffer.concat([this.#begun, chunk]);
    try {
      const answer = readAnswer(bytes);
      // The chunk's memory is overwritten by the next one.
      this.#begun = answer === undefined ? Buffer.from(bytes) : undefined;
      if (answer !== undefined) this.#listener.answered(this, bytes, answer);
    } catch (error) {
      this.#listener.broken(error instanceof Error ? error.message : String(error));
    }
  }
}
