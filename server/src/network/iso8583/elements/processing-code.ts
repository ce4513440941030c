import type { Message } from "../fields.ts";
import { readElement } from "./element.ts";

interface ProcessingCode {
  /** 00 purchase, 01 cash, 20 refund. */
  kind: string;
  fromAccount: string;
  toAccount: string;
}

/** DE 3. */
export function processingCodeOf(message: Message): ProcessingCode | undefined {
  return readElement(message, 3, (text) => ({
    kind: text.slice(0, 2),
    fromAccount: text.slice(2, 4),
    toAccount: text.slice(4),
  }));
}
