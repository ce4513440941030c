import { type DestinationStream, type Logger, pino } from "pino";
import { LineOutput } from "./line-output.ts";
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
  return pino(settings, options.destination ?? standardOutput());
}

/**
 * An info line from fields that are JSON already and hold nothing to redact. The logger's own way reads,
 * serializes and searches every field of every line, which is most of what a line costs; the line of each
 * answer is too frequent for that.
 */
export function writeInfo(log: Log, fields: string, message: string): void {
  if (!log.isLevelEnabled("info")) return;
  writeLine(log, `{"level":30,"time":"${isoNow()}",${fields},"msg":"${message}"}\n`);
}

/** A line as it is, such as one of another thread's log, which has been redacted there. */
export function writeLine(log: Log, line: string): void {
  const { [pino.symbols.streamSym]: stream } = log as unknown as {
    [pino.symbols.streamSym]: DestinationStream;
  };
  stream.write(line);
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

const STANDARD_OUTPUT = 1;

let output: LineOutput | undefined;

/** A process has one, however many logs. */
function standardOutput(): LineOutput {
  output ??= flushedAtTheEnd(new LineOutput(STANDARD_OUTPUT, droppedLine));
  return output;
}

function flushedAtTheEnd(opened: LineOutput): LineOutput {
  process.on("exit", () => opened.flushLast());
  return opened;
}

const droppedLine = (lines: number): string =>
  `{"level":40,"time":"${isoNow()}","lines":${lines},"msg":"the log could not be written; lines were dropped"}\n`;

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
