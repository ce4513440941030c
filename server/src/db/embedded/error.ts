import { inWords } from "../errors.ts";

/** Its message is one line for the person who started Florin: what happened and what to do. */
export class EmbeddedDatabaseError extends Error {
  override name = "EmbeddedDatabaseError";
}

export const OWN_DATABASE_HINT = "set FLORIN_DATABASE_URL to use a PostgreSQL of your own";

/** Whoever connects meanwhile is told in the log, too, that the database system is not up yet. */
const CAUSE = /\b(FATAL|PANIC|error):(?!\s+the database system is )/;

/** The line of PostgreSQL's own words that explains a failure best. */
export function tellingLine(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const cause = lines.find((line) => CAUSE.test(line)) ?? lines.at(-1) ?? "";
  return cause.replace(/^[\d-]+ [\d:.]+ \w+ \[\d+\] /, "").trim();
}

/** What PostgreSQL said, and whether the disk is full, which its own words may leave to be guessed. */
export function inItsWords(dataDir: string, output: string, logFile?: string): string {
  const line = tellingLine(output) || "nothing";
  const seeLog = logFile === undefined ? "" : ` (log: ${logFile})`;
  const reason = /No space left on device|disk quota|wrote only/i.test(output)
    ? `the disk that holds ${dataDir} is full`
    : "PostgreSQL said";
  return `${reason}: ${line}${seeLog}`;
}

export function startFailure(dataDir: string, output: string, logFile?: string): Error {
  const reason = inItsWords(dataDir, output, logFile);
  return new EmbeddedDatabaseError(`The embedded database did not start, ${reason}`);
}

export function explain(error: unknown, dataDir: string): Error {
  if (error instanceof EmbeddedDatabaseError) return error;
  return new EmbeddedDatabaseError(
    `The embedded database cannot be started in ${dataDir}: ${inWords(error)}`,
    { cause: error },
  );
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
