import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { until } from "../../test/harness/eventually.ts";
import { readConfig } from "../foundation/config/config.ts";
import { listen } from "./listener.ts";

const PATIENCE_MS = 30_000;

const app = Fastify();
const { server } = app;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  app.get("/", (_request, reply) => void reply.hijack());
  await listen(app, readConfig({ FLORIN_API_PORT: "0" }), "api");
});
afterAll(async () => {
  vi.useRealTimers();
  server.closeAllConnections();
  await app.close();
});

/** A client that has asked and reads nothing yet, and the response to it. */
async function ask(): Promise<{ client: Socket; response: ServerResponse }> {
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.on("error", () => undefined);
  client.write("GET / HTTP/1.1\r\nHost: florin\r\n\r\n");
  const [, response] = await once(server, "request");
  return { client, response };
}

test("an answer of which nothing is read is given up", async () => {
  const { response } = await ask();
  const closed = once(response, "close");
  // More than the system takes for a client that does not read.
  response.write(Buffer.alloc(32 * 1024 * 1024));
  await until("it is with the connection", () => (response.socket?.writableLength ?? 0) > 0);
  vi.advanceTimersByTime(2 * PATIENCE_MS);
  await closed;
});

test("an answer that is read slowly is not, until it is read no more", async () => {
  const { client, response } = await ask();
  let pieces = 0;
  const endless = new Readable({
    read() {
      pieces += 1;
      this.push(Buffer.alloc(64 * 1024));
    },
  });
  endless.pipe(response);
  for (let look = 0; look < 3; look += 1) {
    // A few are held on the way, and might be asked for without any being sent.
    const enough = pieces + 10;
    client.resume();
    await until("something is sent", () => pieces > enough);
    client.pause();
    vi.advanceTimersByTime(PATIENCE_MS);
    expect(response.destroyed).toBe(false);
  }
  await until("it is given up", () => {
    vi.advanceTimersByTime(PATIENCE_MS);
    return response.destroyed;
  });
});

test("a stream of which all is sent is kept, however long it says nothing", async () => {
  const { client, response } = await ask();
  for (const word of ["one", "two"]) {
    response.write(word);
    expect(String(await once(client, "data"))).toContain(word);
    vi.advanceTimersByTime(10 * PATIENCE_MS);
  }
  expect(response.destroyed).toBe(false);
  client.destroy();
});
