import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "../foundation/log.ts";
import { sendPieces } from "./send.ts";

/** Told once the pieces know that nobody waits for them. */
const told = new AbortController();

async function* endlessly(gone: AbortSignal): AsyncGenerator<string> {
  yield "begun";
  await once(gone, "abort");
  told.abort();
}

const app = Fastify();
beforeAll(async () => {
  app.get("/", (_request, reply) => {
    const streamed = { contentType: "text/plain", pieces: endlessly };
    sendPieces(reply, streamed, createLog({ level: "silent" }));
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => app.close());

test("pieces that wait for something are told when the client is gone", async () => {
  const client = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  client.write("GET / HTTP/1.1\r\nHost: florin\r\n\r\n");
  let text = "";
  for await (const chunk of client) {
    text += String(chunk);
    if (text.includes("begun")) break;
  }
  client.destroy();
  if (!told.signal.aborted) await once(told.signal, "abort");
  expect(told.signal.aborted).toBe(true);
});
