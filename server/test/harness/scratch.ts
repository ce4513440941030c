import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

interface ScratchDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A migrated, empty database of the caller's own. */
export async function scratchDatabase(): Promise<ScratchDatabase> {
  const server = inject("testServer");
  const name = `scratch_${randomUUID().replaceAll("-", "")}`;
  await execute(server.url, `create database ${name} template ${server.template}`);
  const address = new URL(server.url);
  address.pathname = `/${name}`;
  return {
    url: address.href,
    drop: () => execute(server.url, `drop database if exists ${name} with (force)`),
  };
}

async function execute(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
