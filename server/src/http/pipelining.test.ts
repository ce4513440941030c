import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "../../test/harness/eventually.ts";
import { answerInTurn } from "./pipelining.ts";

/** The responses of the requests that were started, by their path. */
const started = new Map<string, ServerResponse>();
const server = createServer(({ url = "" }, response) => started.set(url, response));
answerInTurn(server);

let client: Socket;
let heard = "";
beforeEach(async () => {
  started.clear();
  heard = "";
  if (!server.listening) await once(server.listen(0, "127.0.0.1"), "listening");
  client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.setEncoding("utf8").on("data", (text) => {
    heard += text;
  });
  client.on("error", () => undefined);
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

const ask = (...paths: string[]): void => {
  client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: florin\r\n\r\n`).join(""));
};
const names = (): string[] => [...started.keys()];

test("requests of one connection are answered one after another, each started in its turn", async () => {
  ask("/1", "/2", "/3");
  for (const [index, name] of ["/1", "/2", "/3"].entries()) {
    await until(`${name} is started`, () => started.has(name));
    expect(names()).toHaveLength(index + 1);
    started.get(name)?.end(`answer ${name};`);
  }
  await until("all are answered", () => heard.includes("answer /3;"));
  expect(heard.match(/answer ..;/g)).toEqual(["answer /1;", "answer /2;", "answer /3;"]);

  // Whoever sends the next request after the answer finds the connection as it was.
  ask("/4");
  await until("the next is started", () => started.has("/4"));
});

test("what waits behind an answer that nobody can hear any more is not started", async () => {
  ask("/1", "/2", "/3");
  await until("the first is started", () => started.has("/1"));
  const first = started.get("/1") as ServerResponse;
  const closed = once(first, "close");
  first.write("a part");
  client.destroy();
  await closed;
  first.end();
  await new Promise(setImmediate);
  expect(names()).toEqual(["/1"]);
});

test("who sends more than may wait is cut off", async () => {
  ask("/first");
  await until("the first is started", () => started.has("/first"));
  const waiting = Array.from({ length: 16 }, (_, index) => `/${index}`);
  ask(...waiting);
  started.get("/first")?.end();
  await until("the next is started", () => started.has("/0"));
  ask("/16");
  started.get("/0")?.end();
  await until("one more has a place", () => started.has("/1"));
  const closed = once(client, "close");
  ask("/17", "/18");
  await closed;
  expect(names()).toEqual(["/first", "/0", "/1"]);
});
