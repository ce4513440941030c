import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

export interface ScratchDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A migrated, empty database of the caller's own, or a copy of one that nobody is connected to. */
export async function scratchDatabase(original?: ScratchDatabase): Promise<ScratchDatabase> {
  const server = inject("testServer");
  const name = `scratch_${randomUUID().replaceAll("-", "")}`;
  const template = original === undefined ? server.template : nameOf(original);
  await execute(server.url, `create database ${name} template ${template}`);
  const address = new URL(server.url);
  address.pathname = `/${name}`;
  return {
    url: address.href,
    drop: () => execute(server.url, `drop database if exists ${name} with (force)`),
  };
}

const nameOf = ({ url }: ScratchDatabase): string => new URL(url).pathname.slice(1);

async function execute(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
