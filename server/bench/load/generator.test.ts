import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadGenerator } from "./generator.ts";

let server: Server;
let requests = 0;
let answer = { status: 200, body: '{"responseCode":"000"}' };

beforeEach(async () => {
  requests = 0;
  answer = { status: 200, body: '{"responseCode":"000"}' };
  server = createServer((_request, response) => {
    requests++;
    const { status, body } = answer;
    response.writeHead(status, { "content-length": Buffer.byteLength(body) }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function aimed(connections: number) {
  const generator = loadGenerator();
  const { port } = server.address() as AddressInfo;
  const order = {
    origin: `http://127.0.0.1:${port}`,
    method: "GET",
    path: "/",
    token: "token",
    clientId: "client",
    clientSecret: "secret",
    uniqueKey: "key",
  };
  await generator.aim([order], connections);
  return generator;
}

test("an open loop sends all that was due, though one connection has to carry it", async () => {
  const generator = await aimed(1);
  const { answers, p50Ms, p99Ms } = await generator.run({ seconds: 0.1, perSecond: 1_000 });
  expect([answers, requests]).toEqual([100, 100]);
  expect(p50Ms).toBeGreaterThan(0);
  expect(p99Ms).toBeGreaterThanOrEqual(p50Ms);
});

test("a closed loop keeps asking, round after round", async () => {
  const generator = await aimed(4);
  const first = await generator.run({ seconds: 0.05 });
  const second = await generator.run({ seconds: 0.05 });
  expect(first.answers).toBeGreaterThanOrEqual(4);
  expect(first.answers + second.answers).toBe(requests);
});

test("an answer that is no success ends the round", async () => {
  answer = { status: 422, body: '{"responseCode":"116"}' };
  const generator = await aimed(2);
  await expect(generator.run({ seconds: 0.1, perSecond: 100 })).rejects.toThrow(/422.*116/s);
});
