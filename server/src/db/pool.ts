import pg from "pg";
import { SETTLE_SESSION } from "./session-settings.ts";

const INT8 = 20;

/** Money is bigint from the wire on: a balance never passes through a double. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === INT8 && format !== "binary" ? BigInt : pg.types.getTypeParser(oid, format as "text"),
};

export type Pool = pg.Pool;
export type Connection = pg.Pool | pg.PoolClient | pg.Client;

/** A statement that is lost on the way must not hold a request for ever. */
const STATEMENT_TIMEOUT_MS = 30_000;

export function createPool(connectionString: string, max: number, name = "florin"): Pool {
  return openPool({
    connectionString,
    max,
    application_name: name,
    // Nor may one go on in the database when nobody waits for it any more. These are no parameters of the start,
    // which poolers refuse.
    onConnect: (client) =>
      client.query(
        [...SETTLE_SESSION, `set statement_timeout = ${STATEMENT_TIMEOUT_MS}`].join("; "),
      ),
  });
}

/** Connections that may have another session for each transaction, so that nothing can be set for them. */
export function createPoolBehindPooler(connectionString: string, max: number): Pool {
  return openPool({ connectionString, max, application_name: "florin" });
}

function openPool(options: pg.PoolConfig): Pool {
  const pool = new pg.Pool({
    ...options,
    types,
    connectionTimeoutMillis: 5_000,
    query_timeout: STATEMENT_TIMEOUT_MS,
  });
  // A connection that breaks, idle or between two statements, fails whoever uses it next and is then
  // replaced; without a listener it would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

export function createClient(connectionString: string, options: pg.ClientConfig = {}): pg.Client {
  return new pg.Client({ connectionString, types, ...options });
}
