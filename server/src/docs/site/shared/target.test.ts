import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { targetOf } from "./target.ts";

const API = "https://api.florin.example";
const heard: string[] = [];
let server: Server;
let origin = "";

beforeAll(async () => {
  server = createServer((request, response) => {
    heard.push(request.url ?? "");
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
});

test.each([
  ["", "", "/api/v1/cards/"],
  ["card_1", "plain", "/api/v1/cards/card_1?note=plain"],
  ["a/b?c#d", "", "/api/v1/cards/a%2Fb%3Fc%23d"],
  ["x", "it's (a) *test* ~!", "/api/v1/cards/x?note=it%27s%20(a)%20*test*%20~!"],
  ["x", "50% & more = +1#", "/api/v1/cards/x?note=50%25%20%26%20more%20%3D%20%2B1%23"],
  ["ü", "日本 😀", "/api/v1/cards/%C3%BC?note=%E6%97%A5%E6%9C%AC%20%F0%9F%98%80"],
  ["x", '"<>`{}|\\^[]', "/api/v1/cards/x?note=%22%3C%3E%60%7B%7D%7C%5C%5E%5B%5D"],
])("what is signed for card %j and note %j is what is sent", async (cardId, note, target) => {
  const { address, signedUrl } = targetOf(
    { origin, apiUrl: API },
    "/api/v1/cards/{cardId}",
    { cardId },
    [
      ["note", note],
      ["cursor", ""],
    ],
  );
  await fetch(address);
  expect(heard.at(-1)).toBe(target);
  expect(signedUrl).toBe(`${API}${target}`);
});

test("a prefix of the public address is sent and signed", () => {
  const page = { origin: "https://pay.example", apiUrl: "https://pay.example/florin/" };
  expect(targetOf(page, "/api/v1/wallets", {}, [])).toEqual({
    address: "https://pay.example/florin/api/v1/wallets",
    signedUrl: "https://pay.example/florin/api/v1/wallets",
  });
});
