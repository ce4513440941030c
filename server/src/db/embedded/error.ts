import { readFile } from "node:fs/promises";

/** Its message is one line for the person who started Florin: what happened and what to do. */
export class EmbeddedDatabaseError extends Error {
  override name = "EmbeddedDatabaseError";
}

export const OWN_DATABASE_HINT = "set FLORIN_DATABASE_URL to use a PostgreSQL of your own";

/** The line of PostgreSQL's own words that explains a failure best. */
export function tellingLine(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const cause = lines.find((line) => /\b(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? "";
  return cause.replace(/^[\d-]+ [\d:.]+ \w+ \[\d+\] /, "").trim();
}

export function startFailure(dataDir: string, output: string, logFile?: string): Error {
  const line = tellingLine(output) || "it said nothing";
  const seeLog = logFile === undefined ? "" : ` (log: ${logFile})`;
  const reason = /No space left on device|disk quota|wrote only/i.test(output)
    ? `the disk that holds ${dataDir} is full`
    : "PostgreSQL said";
  return new EmbeddedDatabaseError(
    `The embedded database did not start, ${reason}: ${line}${seeLog}`,
  );
}

export async function readLogFrom(logFile: string, offset: number): Promise<string> {
  const bytes = await readFile(logFile);
  return bytes.subarray(offset).toString("utf8");
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
