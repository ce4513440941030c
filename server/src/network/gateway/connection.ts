import type { Socket } from "node:net";
import { writeTransmissionTime } from "../iso8583/elements/times.ts";
import { encode } from "../iso8583/encode.ts";
import { FrameSplitter, frame } from "../iso8583/framing.ts";
import type { Outcome } from "./exchange.ts";
import { ECHO } from "./management.ts";
import type { Peer } from "./peers.ts";
import type { Session } from "./session.ts";

/** Answers that a peer has not read yet: beyond these, nothing more of it is read. */
const MAX_UNREAD_BYTES = 64 * 1024;
/** How long a peer may leave answers unread. */
const UNREAD_PATIENCE_MS = 30_000;
/** How long a peer that was said goodbye to may take to close its side. */
const FAREWELL_MS = 1_000;

export interface ConnectionOptions {
  peer: Peer;
  /** How long a peer may be silent before it is asked whether it is there; 0: for ever. */
  echoMs: number;
  take(message: Buffer, session: Session): Outcome | Promise<Outcome>;
  now(): Date;
  /** Tells why a connection is given up. */
  complain(peer: Peer, reason: string): void;
}

/**
 * One connection of a peer. Messages are answered as they are done, in any order; no more of them are
 * under way than allowed, and none is read while that many are, or while answers lie unread.
 */
export class PeerConnection implements Session {
  readonly peer: Peer;
  isSignedOn = false;
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #splitter = new FrameSplitter();
  /** Messages that were read and not started yet. */
  #waiting: Buffer[] = [];
  #inFlight = 0;
  /** Nothing more is read; it is closed when all is answered. */
  #isEnding = false;
  #heardMs = performance.now();
  #echoedMs: number | undefined;
  /** How many bytes had been sent at the last tick, and since when there are no more. */
  #sentBytes = 0;
  #stuckSinceMs: number | undefined;
  #trace = 0;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.peer = options.peer;
    socket.setNoDelay(true);
    socket.on("data", (segment: Buffer) => this.#hear(segment));
    socket.on("end", () => this.#hearNoMore());
    socket.on("drain", () => this.#pump());
    // The close follows; a peer whose message was lost repeats it.
    socket.on("error", () => undefined);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Answers what was read and closes. */
  end(): void {
    this.#isEnding = true;
    this.#pump();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** To be called now and then: notices a peer that has gone, or that does not read. */
  tick(nowMs: number): void {
    if (this.#socket.destroyed) return;
    const { echoMs } = this.#options;
    this.#watchAnswers(nowMs);
    // A peer that we do not read from must not count as silent.
    if (this.#socket.isPaused()) this.#heard(nowMs);
    if (this.#stuckSinceMs !== undefined && nowMs - this.#stuckSinceMs > UNREAD_PATIENCE_MS) {
      this.#giveUp("does not read its answers");
    } else if (this.#echoedMs !== undefined && nowMs - this.#echoedMs > echoMs) {
      this.#giveUp("does not answer an echo");
    } else if (echoMs > 0 && this.#echoedMs === undefined && nowMs - this.#heardMs > echoMs) {
      this.#echo(nowMs);
    }
  }

  #watchAnswers(nowMs: number): void {
    const { bytesWritten, writableLength } = this.#socket;
    const sentBytes = bytesWritten - writableLength;
    if (writableLength === 0 || sentBytes > this.#sentBytes) this.#stuckSinceMs = undefined;
    else this.#stuckSinceMs ??= nowMs;
    this.#sentBytes = sentBytes;
  }

  #echo(nowMs: number): void {
    this.#echoedMs = nowMs;
    this.#trace = (this.#trace % 999_999) + 1;
    const trace = String(this.#trace).padStart(6, "0");
    const fields = { 7: writeTransmissionTime(this.#options.now()), 11: trace, 70: ECHO };
    this.#send(encode({ mti: "0800", fields }));
  }

  #hear(segment: Buffer): void {
    this.#heard(performance.now());
    if (this.#isEnding) return;
    const { messages, fault } = this.#splitter.push(segment);
    this.#waiting.push(...messages);
    if (fault !== undefined) {
      this.#complain(fault.message);
      this.#isEnding = true;
    }
    this.#pump();
  }

  #heard(nowMs: number): void {
    this.#heardMs = nowMs;
    this.#echoedMs = undefined;
  }

  #hearNoMore(): void {
    if (this.#splitter.isWithinMessage) this.#complain("ended within a message");
    this.#isEnding = true;
    this.#pump();
  }

  /** Starts what may be started, and reads on when all of that is. */
  #pump(): void {
    let started = 0;
    while (started < this.#waiting.length && !this.#isFull()) {
      void this.#answer(this.#waiting[started] as Buffer);
      started += 1;
    }
    this.#waiting = this.#waiting.slice(started);
    if (this.#isEnding) this.#closeIfDone();
    else if (this.#waiting.length > 0 || this.#isFull()) this.#socket.pause();
    else this.#socket.resume();
  }

  #isFull(): boolean {
    return (
      this.#inFlight >= this.peer.maxInFlight || this.#socket.writableLength > MAX_UNREAD_BYTES
    );
  }

  async #answer(bytes: Buffer): Promise<void> {
    this.#inFlight += 1;
    try {
      const taken = this.#options.take(bytes, this);
      // Before anything is waited for: what was read together with it would be begun meanwhile.
      if (taken === "Unreadable") this.#stopReading();
      const outcome = await taken;
      if (outcome === "Unreadable") this.#stopReading();
      else if (outcome.answer !== undefined) this.#send(outcome.answer);
    } catch (error) {
      this.#giveUp(`could not be answered: ${error instanceof Error ? error.message : error}`);
    }
    this.#inFlight -= 1;
    this.#pump();
  }

  /** After a message that cannot be read, nothing read behind it can be trusted either. */
  #stopReading(): void {
    this.#waiting = [];
    this.#isEnding = true;
  }

  /** Answers that are ready together go out together. A peer that has gone repeats its messages. */
  #send(message: Buffer): void {
    const socket = this.#socket;
    if (!socket.writable) return;
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    socket.write(frame(message));
  }

  #closeIfDone(): void {
    if (this.#inFlight > 0 || this.#waiting.length > 0 || this.#socket.writableEnded) return;
    // Once the last answer has left; a peer that reads none is noticed by the ticks.
    this.#socket.end(() => setTimeout(() => this.#socket.destroy(), FAREWELL_MS).unref());
    // What still comes is let by: closing at once could take the last answers with it.
    this.#socket.resume();
  }

  #giveUp(reason: string): void {
    this.#complain(reason);
    this.#socket.destroy();
  }

  #complain(reason: string): void {
    this.#options.complain(this.peer, reason);
  }
}
