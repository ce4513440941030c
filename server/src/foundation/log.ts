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
  return pino(settings, options.destination ?? bufferedOutput());
}

/** Lines travel to standard output in groups; a system call for each would slow every request down. */
function bufferedOutput(): DestinationStream {
  return pino.destination({ sync: false, minLength: 4096, periodicFlush: 100 });
}

/** A database's own details quote the row that it refused, so they stay behind. */
function describeError(error: Error): unknown {
  const { detail, hint, where, internalQuery, ...rest } = pino.stdSerializers.err(
    error,
  ) as unknown as Record<string, unknown>;
  return rest;
}
