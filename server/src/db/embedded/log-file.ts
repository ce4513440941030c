import { createReadStream } from "node:fs";
import { rename, stat } from "node:fs/promises";
import { text } from "node:stream/consumers";

const LIMIT_BYTES = 10 * 1024 * 1024;

export async function rotateLog(logFile: string): Promise<void> {
  if ((await sizeOf(logFile)) > LIMIT_BYTES) await rename(logFile, `${logFile}.1`);
}

export async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Only the end is read: a log that nobody has rotated may be larger than memory. */
export function readLogFrom(logFile: string, offset: number): Promise<string> {
  return text(createReadStream(logFile, { start: offset }));
}
