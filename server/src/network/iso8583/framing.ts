import { FormatError } from "./format-error.ts";

/** Nearly three times the longest message that can be written with all fields of the table. */
export const MAX_MESSAGE_BYTES = 4096;
const LENGTH_BYTES = 2;

/** Puts the length before a message: two bytes, the high one first. */
export function frame(message: Buffer): Buffer {
  const fault = faultOfLength(message.length);
  if (fault !== undefined) throw fault;
  const framed = Buffer.allocUnsafe(LENGTH_BYTES + message.length);
  framed.writeUInt16BE(message.length);
  message.copy(framed, LENGTH_BYTES);
  return framed;
}

interface Split {
  /** The messages that ended in this segment. One that lies wholly in it is a view of it. */
  messages: Buffer[];
  /** Set once the lengths make no sense: from there on nothing can be told apart. */
  fault: FormatError | undefined;
}

/**
 * Finds the messages in a stream that arrives in segments of any size. It keeps at most one message
 * that is not complete, in a buffer of its announced length, so that every byte is copied at most
 * once and a peer can make it hold no more than the longest message.
 */
export class FrameSplitter {
  #length = Buffer.alloc(LENGTH_BYTES);
  #lengthFilled = 0;
  #message: Buffer | undefined;
  #messageFilled = 0;
  #fault: FormatError | undefined;

  /** Whether the stream, if it ended now, would end within a message. */
  get isWithinMessage(): boolean {
    return this.#lengthFilled > 0;
  }

  push(segment: Buffer): Split {
    const messages: Buffer[] = [];
    let position = 0;
    while (position < segment.length && this.#fault === undefined) {
      position =
        this.#lengthFilled < LENGTH_BYTES
          ? this.#takeLength(segment, position)
          : this.#takeMessage(segment, position, messages);
    }
    return { messages, fault: this.#fault };
  }

  #takeLength(segment: Buffer, position: number): number {
    this.#length[this.#lengthFilled] = segment[position] ?? 0;
    this.#lengthFilled += 1;
    if (this.#lengthFilled === LENGTH_BYTES) {
      this.#fault = faultOfLength(this.#length.readUInt16BE());
    }
    return position + 1;
  }

  #takeMessage(segment: Buffer, position: number, messages: Buffer[]): number {
    const length = this.#length.readUInt16BE();
    const end = Math.min(position + length - this.#messageFilled, segment.length);
    if (end - position === length) {
      messages.push(segment.subarray(position, end));
      this.#lengthFilled = 0;
      return end;
    }
    this.#message ??= Buffer.allocUnsafe(length);
    segment.copy(this.#message, this.#messageFilled, position, end);
    this.#messageFilled += end - position;
    if (this.#messageFilled === length) {
      messages.push(this.#message);
      this.#message = undefined;
      this.#messageFilled = 0;
      this.#lengthFilled = 0;
    }
    return end;
  }
}

function faultOfLength(length: number): FormatError | undefined {
  if (length >= 1 && length <= MAX_MESSAGE_BYTES) return undefined;
  const reason = `must have a length from 1 to ${MAX_MESSAGE_BYTES}, not ${length}`;
  return new FormatError({ place: "frame", reason });
}
