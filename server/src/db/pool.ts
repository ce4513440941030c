import pg from "pg";

const INT8 = 20;

/** Money is bigint from the wire on: a balance never passes through a double. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === INT8 && format !== "binary" ? BigInt : pg.types.getTypeParser(oid, format as "text"),
};

export type Pool = pg.Pool;
export type Connection = pg.Pool | pg.PoolClient | pg.Client;

export function createPool(connectionString: string, max: number): Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    types,
    application_name: "florin",
    connectionTimeoutMillis: 5_000,
    // A statement that is lost on the way must not hold a request for ever.
    query_timeout: 30_000,
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
