import { write, writeSync } from "node:fs";

const GROUP_LENGTH = 8_192;
const GROUP_MS = 100;
const RETRY_MS = 100;
/** Of lines that wait, in characters: a destination that takes none must not fill the memory. */
const MAX_WAITING = 4 * 1_024 * 1_024;
/** How long the end of the process waits for a destination that takes nothing just now. */
const LAST_PATIENCE_MS = 1_000;

/**
 * Writes lines to a file descriptor in groups, one after another; a system call for each line would slow every
 * request down. A full disk, or a pipe that nobody reads, ends nothing and holds nothing up: lines wait
 * until they can be written, and those that find no room are dropped and counted.
 */
export class LineOutput {
  readonly #fd: number;
  readonly #droppedLine: (count: number) => string;
  /** Lines that no group has taken yet. */
  #waiting = "";
  /** What is left of the group that is being written. */
  #group: Buffer = Buffer.alloc(0);
  #isWriting = false;
  #isRetryPlanned = false;
  #dropped = 0;
  #flushed: ((error?: Error) => void)[] = [];

  /** @param droppedLine tells, in the log itself, how many lines it lacks. */
  constructor(fd: number, droppedLine: (count: number) => string) {
    this.#fd = fd;
    this.#droppedLine = droppedLine;
    setInterval(() => this.#begin(), GROUP_MS).unref();
  }

  write(line: string): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#dropped += 1;
      return;
    }
    this.#waiting += line;
    if (this.#waiting.length >= GROUP_LENGTH) this.#begin();
  }

  /** Calls back when all lines are written, or with the reason why they cannot be. */
  flush(done: (error?: Error) => void): void {
    this.#flushed.push(done);
    this.#begin();
  }

  /** Writes what is left while nothing else can run any more, for as long as there is a little hope. */
  flushLast(): void {
    const deadlineMs = performance.now() + LAST_PATIENCE_MS;
    // Its end cannot be heard here; almost always it is a matter of microseconds.
    if (this.#isWriting) {
      sleep(RETRY_MS);
      this.#group = Buffer.alloc(0);
    }
    let left: Buffer = Buffer.concat([this.#group, this.#takeGroup()]);
    while (left.length > 0 && performance.now() < deadlineMs) {
      try {
        left = left.subarray(writeSync(this.#fd, left));
      } catch (error) {
        if (!isPassing(error)) return;
        sleep(RETRY_MS);
      }
    }
  }

  #begin(): void {
    if (this.#isWriting || this.#isRetryPlanned) return;
    if (this.#group.length === 0) this.#group = this.#takeGroup();
    if (this.#group.length === 0) this.#settle();
    else this.#write();
  }

  #write(): void {
    this.#isWriting = true;
    write(this.#fd, this.#group, (error, written) => {
      this.#isWriting = false;
      if (error !== null) {
        this.#failed(error);
        return;
      }
      this.#group = this.#group.subarray(written);
      if (this.#group.length > 0) this.#write();
      else if (this.#waiting.length >= GROUP_LENGTH || this.#flushed.length > 0) this.#begin();
    });
  }

  #failed(error: NodeJS.ErrnoException): void {
    // Nobody will ever read these.
    if (error.code === "EPIPE") {
      this.#group = Buffer.alloc(0);
      this.#waiting = "";
    }
    if (!isPassing(error)) this.#settle(error);
    this.#isRetryPlanned = true;
    setTimeout(() => {
      this.#isRetryPlanned = false;
      this.#begin();
    }, RETRY_MS).unref();
  }

  #takeGroup(): Buffer {
    const dropped = this.#dropped === 0 ? "" : this.#droppedLine(this.#dropped);
    const group = Buffer.from(this.#waiting + dropped);
    this.#waiting = "";
    this.#dropped = 0;
    return group;
  }

  #settle(error?: Error): void {
    for (const done of this.#flushed.splice(0)) done(error);
  }
}

/** A pipe is full until somebody reads it. */
const isPassing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "EAGAIN";

const sleep = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};
