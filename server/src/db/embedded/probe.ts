import pg from "pg";
import { SUPERUSER } from "./cluster.ts";
import { EmbeddedDatabaseError, hasCode } from "./error.ts";
import { PORT } from "./socket.ts";

const DATABASE = "florin";

// SQLSTATEs of PostgreSQL.
const CANNOT_CONNECT_NOW = "57P03";
const INVALID_PASSWORD = "28P01";
const NO_SUCH_DATABASE = "3D000";

export type Answer =
  | { state: "ready"; version: string }
  | { state: "busy" | "silent"; reason: string };

/**
 * The address for node-postgres, and for people:
 * `psql "$url"`, `pgbench -i "$url"` or `psql -h .florin/postgres-socket -U florin florin`.
 */
export function databaseUrl(socketDirectory: string, password: string, database = DATABASE) {
  return `postgres://${SUPERUSER}:${password}@${encodeURIComponent(socketDirectory)}:${PORT}/${database}`;
}

/** Asks whether the server takes connections; creates our database the first time it does. */
export async function probe(socketDirectory: string, password: string): Promise<Answer> {
  try {
    const rows = await query(databaseUrl(socketDirectory, password), "show server_version");
    return { state: "ready", version: String(rows[0]?.server_version) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (hasCode(error, CANNOT_CONNECT_NOW)) return { state: "busy", reason };
    if (hasCode(error, NO_SUCH_DATABASE)) return createDatabase(socketDirectory, password);
    if (hasCode(error, INVALID_PASSWORD)) {
      throw new EmbeddedDatabaseError(
        `The embedded database refuses the password in its data directory: ${reason}`,
      );
    }
    return { state: "silent", reason };
  }
}

async function createDatabase(socketDirectory: string, password: string): Promise<Answer> {
  await query(databaseUrl(socketDirectory, password, "postgres"), `create database ${DATABASE}`);
  return { state: "busy", reason: "its database has just been created" };
}

async function query(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 3_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
