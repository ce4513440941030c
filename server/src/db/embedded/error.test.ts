import { expect, test } from "vitest";
import { startFailure, tellingLine } from "./error.ts";

test.each([
  ["", ""],
  ["first\nlast\n\n", "last"],
  [
    "2026-01-31 10:00:00.123 UTC [7] LOG:  starting\n2026-01-31 10:00:00.124 UTC [7] FATAL:  bad\n2026-01-31 10:00:00.125 UTC [7] LOG:  database system is shut down\n",
    "FATAL:  bad",
  ],
  [
    "2026-01-31 10:00:00.123 UTC [8] FATAL:  the database system is starting up\n2026-01-31 10:00:00.124 UTC [7] FATAL:  bad\n",
    "FATAL:  bad",
  ],
  ["initdb: error: no such user\ninitdb: hint: make one\n", "initdb: error: no such user"],
])("of %j the telling line is %j", (output, line) => {
  expect(tellingLine(output)).toBe(line);
});

test.each([
  ["FATAL:  could not write: No space left on device", /the disk that holds \/data is full: FATAL/],
  ["FATAL:  could not extend file: wrote only 4096 of 8192 bytes", /\/data is full: FATAL/],
  ["FATAL:  data directory has invalid permissions", /PostgreSQL said: FATAL.*\(log: \/data\/l\)$/],
  ["", /PostgreSQL said: nothing/],
])("%j is explained in one line", (output, line) => {
  expect(startFailure("/data", output, "/data/l").message).toMatch(line);
});
