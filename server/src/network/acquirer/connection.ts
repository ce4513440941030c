import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { decode } from "../iso8583/decode.ts";
import { encode } from "../iso8583/encode.ts";
import type { Message } from "../iso8583/fields.ts";
import { FormatError } from "../iso8583/format-error.ts";
import { FrameSplitter, frame } from "../iso8583/framing.ts";
import { answerMtiOf } from "../iso8583/message-types.ts";

const ANSWER_MS = 30_000;
const LOST = "The connection was lost";

export interface AcquirerOptions {
  host: string;
  port: number;
  /** PEM texts, where the gateway speaks TLS: who it must be, and who we are. */
  tls?: { ca: string; cert: string; key: string; servername?: string } | undefined;
  /** How long an answer is waited for. */
  answerMs?: number | undefined;
}

/** No answer came: in time, or before the connection was lost. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

interface Waiting {
  resolve(answer: Message): void;
  reject(error: NoAnswer): void;
  timer: NodeJS.Timeout;
}

/** The acquirer's end of a connection to a gateway, with as many messages under way as one likes. */
export class AcquirerConnection {
  readonly #socket: Socket;
  readonly #answerMs: number;
  readonly #splitter = new FrameSplitter();
  /** Messages that wait for an answer, by what the answer will be recognized by; the oldest first. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** Messages that nobody waits for. */
  readonly strays: Message[] = [];
  /** What arrived and is no message of ours. */
  readonly unreadable: Buffer[] = [];
  readonly closed: Promise<unknown>;

  static async open(options: AcquirerOptions): Promise<AcquirerConnection> {
    const { host, port, tls } = options;
    const socket =
      tls === undefined
        ? connect({ host, port, noDelay: true })
        : connectTls({ host, port, ...tls, minVersion: "TLSv1.2" });
    await once(socket, tls === undefined ? "connect" : "secureConnect");
    return new AcquirerConnection(socket, options.answerMs ?? ANSWER_MS);
  }

  private constructor(socket: Socket, answerMs: number) {
    this.#socket = socket;
    this.#answerMs = answerMs;
    this.closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("data", (segment: Buffer) => this.#hear(segment));
    socket.on("error", () => undefined);
    socket.once("close", () => this.#giveUp());
  }

  /** Whether answers can come. */
  get isOpen(): boolean {
    return this.#socket.readable;
  }

  /** Sends a message and waits for its answer. */
  ask(message: Message): Promise<Message> {
    const mti = answerMtiOf(message.mti);
    if (mti === undefined) throw new RangeError(`Nobody answers a ${message.mti}.`);
    if (!this.isOpen) return Promise.reject(new NoAnswer(LOST));
    const key = `${mti} ${message.fields[11] ?? ""}`;
    const answer = new Promise<Message>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#forget(key, waiting);
        reject(new NoAnswer(`${message.mti} was not answered in time`));
      }, this.#answerMs);
      const waiting = { resolve, reject, timer };
      this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), waiting]);
    });
    this.send(message);
    return answer;
  }

  send(message: Message): void {
    this.sendBytes(frame(encode(message)));
  }

  /** Messages that are sent together go out together. */
  sendBytes(bytes: Buffer): void {
    const socket = this.#socket;
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    socket.write(bytes);
  }

  /** Stops reading, as a peer that is stuck; until `resume`. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** What was sent and has not left, because the other side does not read. */
  get unsentBytes(): number {
    return this.#socket.writableLength;
  }

  /** Says that nothing more comes; answers may still. */
  end(): void {
    this.#socket.end();
  }

  async close(): Promise<void> {
    this.#socket.end();
    this.#socket.destroySoon();
    await this.closed;
  }

  /** At once, whatever is under way. */
  cut(): void {
    this.#socket.destroy();
  }

  #hear(segment: Buffer): void {
    for (const bytes of this.#splitter.push(segment).messages) {
      try {
        const message = decode(bytes);
        if (message.mti === "0800") this.#echo(message);
        else this.#settle(message);
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
        this.unreadable.push(bytes);
      }
    }
  }

  #settle(message: Message): void {
    const key = `${message.mti} ${message.fields[11] ?? ""}`;
    const [first] = this.#waiting.get(key) ?? [];
    if (first === undefined) {
      this.strays.push(message);
      return;
    }
    this.#forget(key, first);
    first.resolve(message);
  }

  #forget(key: string, waiting: Waiting): void {
    clearTimeout(waiting.timer);
    const others = this.#waiting.get(key)?.filter((other) => other !== waiting) ?? [];
    if (others.length === 0) this.#waiting.delete(key);
    else this.#waiting.set(key, others);
  }

  /** The gateway asks whether we are here. */
  #echo({ fields }: Message): void {
    this.send({ mti: "0810", fields: { ...fields, 39: "00" } });
  }

  #giveUp(): void {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    for (const { reject, timer } of all) {
      clearTimeout(timer);
      reject(new NoAnswer(LOST));
    }
  }
}
