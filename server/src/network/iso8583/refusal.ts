import { write } from "./encode.ts";
import type { FormatError } from "./format-error.ts";
import { answerTypeOf } from "./message-types.ts";

/** DE 39 of an answer to what cannot be read. */
export const FORMAT_ERROR = "30";

/**
 * The answer to a message that could be read as far as its type and DE 11: DE 39 = 30. There is none
 * for other messages, nor for those that are answers themselves.
 */
export function refusalOf(error: FormatError): Buffer | undefined {
  if (error.mti === undefined || error.traceNumber === undefined) return undefined;
  const mti = answerTypeOf(error.mti);
  return mti === undefined ? undefined : write(mti, { ...error.echo, 39: FORMAT_ERROR });
}
