import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

/** A database of the caller's own in which nothing has been created yet. */
export async function emptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = inject("testServer");
  const name = `empty_${randomUUID().replaceAll("-", "")}`;
  await execute(server.url, `create database ${name}`);
  const address = new URL(server.url);
  address.pathname = `/${name}`;
  return {
    url: address.href,
    drop: async () => {
      await execute(server.url, `drop database if exists ${name} with (force)`);
    },
  };
}

/** One statement on a connection of its own, for what has no pool. */
export async function execute<Row extends object>(
  connectionString: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
