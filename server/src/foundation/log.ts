import { type DestinationStream, type Logger, pino } from "pino";
import { redactLine } from "./redact.ts";

export type Log = Logger;

/**
 * Lines carry ISO times, because an epoch in milliseconds has as many digits as a card number, and
 * neither process nor host, because whoever collects the lines knows these.
 */
export function createLog(options: { level: string; destination?: DestinationStream }): Log {
  const settings = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    hooks: { streamWrite: redactLine },
  };
  return pino(settings, options.destination ?? groupedOutput());
}

/**
 * An info line from fields that are JSON already and hold nothing to redact. The logger's own way reads,
 * serializes and searches every field of every line, which is most of what a line costs; the line of each
 * answer is too frequent for that.
 */
export function writeInfo(log: Log, fields: string, message: string): void {
  if (!log.isLevelEnabled("info")) return;
  const { [pino.symbols.streamSym]: stream } = log as unknown as {
    [pino.symbols.streamSym]: DestinationStream;
  };
  stream.write(`{"level":30,"time":"${isoNow()}",${fields},"msg":"${message}"}\n`);
}

// Many lines are written within one millisecond.
let lastMs = 0;
let lastIso = "";

function isoNow(): string {
  const nowMs = Date.now();
  if (nowMs !== lastMs) {
    lastMs = nowMs;
    lastIso = new Date(nowMs).toISOString();
  }
  return lastIso;
}

const GROUP_LENGTH = 8_192;
const FLUSH_MS = 100;

/**
 * Lines travel to standard output in groups; a system call for each would slow every request down. The
 * stream could group them too, but measures all that waits anew with every line.
 */
function groupedOutput(): DestinationStream & { flush(done: (error?: Error) => void): void } {
  const output = pino.destination({ sync: false });
  let waiting = "";
  const handOver = (): void => {
    if (waiting !== "") output.write(waiting);
    waiting = "";
  };
  setInterval(handOver, FLUSH_MS).unref();
  process.on("exit", () => {
    handOver();
    output.flushSync();
  });
  return {
    write(line: string): void {
      waiting += line;
      if (waiting.length >= GROUP_LENGTH) handOver();
    },
    flush(done): void {
      handOver();
      output.flush(done);
    },
  };
}

/** What went wrong, where a stack would say nothing more. Of several failed addresses Node tells only a code. */
export function briefly(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error ? String(error.code) : error.name);
}

/** A database's own details quote the row that it refused, so they stay behind. */
function describeError(error: Error): unknown {
  const { detail, hint, where, internalQuery, ...rest } = pino.stdSerializers.err(
    error,
  ) as unknown as Record<string, unknown>;
  return rest;
}
