import { once } from "node:events";
import { request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { json, text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readJsonBodies } from "./body.ts";
import { asFailure } from "./problem.ts";

const MAX_BYTES = 64 * 1024;

const app = Fastify({ bodyLimit: MAX_BYTES });
readJsonBodies(app);
app.setErrorHandler((error, _request, reply) =>
  reply.code(400).send({ problem: asFailure(error).fields[0]?.message }),
);
app.post("/", async ({ body, rawBody }) => ({ body, raw: rawBody?.toString() }));

beforeAll(() => app.listen({ port: 0, host: "127.0.0.1" }));
afterAll(() => app.close());

/** Sends a body piece by piece; without a length it goes out in chunks. */
async function send(
  pieces: string[],
  length?: number,
  type = "application/json",
): Promise<unknown> {
  const { port } = app.server.address() as AddressInfo;
  const headers = { "content-type": type };
  const outgoing = request({
    port,
    method: "POST",
    headers: length === undefined ? headers : { ...headers, "content-length": length },
  });
  outgoing.on("error", () => undefined);
  const answered = once(outgoing, "response");
  for (const piece of pieces) {
    outgoing.write(piece);
    await pause(10);
  }
  outgoing.end();
  const [response] = await answered;
  return json(response);
}

const small = '{"a":1}';
const large = JSON.stringify({ a: "x".repeat(40 * 1024) });

test.each<[string, string[], number?]>([
  ["whole", [small], small.length],
  ["in two pieces", [small.slice(0, 3), small.slice(3)], small.length],
  ["in chunks", [small.slice(0, 3), small.slice(3)]],
  ["in one chunk", [small]],
  ["too large to be read as it comes", [large], large.length],
  ["large, in pieces", [large.slice(0, 9), large.slice(9)], large.length],
  ["large, in chunks", [large.slice(0, 9), large.slice(9)]],
])("a body that comes %s", async (_how, pieces, length) => {
  const text = pieces.join("");
  expect(await send(pieces, length)).toEqual({ body: JSON.parse(text), raw: text });
});

test.each<[string, string[], number?]>([
  ["declared", [], 0],
  ["undeclared", []],
])("an empty body, %s, is none", async (_how, pieces, length) => {
  expect(await send(pieces, length)).toEqual(
    expect.not.objectContaining({ body: expect.anything() }),
  );
});

test.each<[string, string[], number?]>([
  ["as it says itself", [], MAX_BYTES + 1],
  ["as its chunks show", ["x".repeat(MAX_BYTES), "x"]],
])("a body that is too large, %s, is refused", async (_how, pieces, length) => {
  expect(await send(pieces, length)).toEqual({ problem: "The body is too large" });
});

describe("a type of another kind", () => {
  const FORM = "application/x-www-form-urlencoded";

  test.each<[string, number?]>([["declared", 0], ["undeclared"]])(
    "means nothing where there is no body, %s",
    async (_how, length) => {
      const { port } = app.server.address() as AddressInfo;
      const socket = connect(port);
      const declared = length === undefined ? "" : `content-length: ${length}\r\n`;
      socket.write(`POST / HTTP/1.1\r\ncontent-type: ${FORM}\r\n${declared}host: a\r\n`);
      socket.end("connection: close\r\n\r\n");
      expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /);
    },
  );

  test.each([`content-type: ${FORM}\r\n`, ""])(
    "nor where chunks turn out to hold none, after %j",
    async (type) => {
      const { port } = app.server.address() as AddressInfo;
      const socket = connect(port);
      socket.write(`POST / HTTP/1.1\r\n${type}transfer-encoding: chunked\r\nhost: a\r\n`);
      socket.end("connection: close\r\n\r\n0\r\n\r\n");
      expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /);
    },
  );

  test.each<[string, string[], number?]>([
    ["small", ["a=1"], 3],
    ["in chunks", ["a=", "1"]],
    ["much too large", Array.from({ length: 16 }, () => "x".repeat(MAX_BYTES)), 16 * MAX_BYTES],
  ])("is refused where there is one, %s", async (_how, pieces, length) => {
    expect(await send(pieces, length, FORM)).toEqual({
      problem: "The Content-Type must be application/json",
    });
  });
});

test("a body that is not UTF-8 is refused", async () => {
  const { port } = app.server.address() as AddressInfo;
  const headers = { "content-type": "application/json" };
  const body = Buffer.from([0x22, 0xff, 0x22]);
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body });
  expect(await answer.json()).toEqual({ problem: "The body is not valid UTF-8" });
});
