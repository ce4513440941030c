import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createClient } from "./pool.ts";
import { expectOwnSessions, SharedSessions } from "./sessions.ts";

const { url } = inject("testServer");
const clients = [createClient(url), createClient(url)] as const;
beforeAll(() => Promise.all(clients.map((client) => client.connect())));
afterAll(() => Promise.all(clients.map((client) => client.end())));

test("connections with a session each are taken", async () => {
  await expectOwnSessions(...clients);
});

test("connections that share a session are refused", async () => {
  await expect(expectOwnSessions(clients[0], clients[0])).rejects.toThrow(SharedSessions);
});

test("a connection that is given another session each time is refused", async () => {
  const inTurn = new pg.Pool({ connectionString: url, maxUses: 1 });
  await expect(expectOwnSessions(inTurn, clients[1])).rejects.toThrow(SharedSessions);
  await inTurn.end();
});
