import { expect, test } from "vitest";
import { verifySignature } from "../../src/http/signature.ts";
import { type Order, SignedRequests } from "./requests.ts";

const order: Order = {
  origin: "http://127.0.0.1:4000",
  method: "POST",
  path: "/api/v1/simulator/wallets/deposits",
  body: '{"currency":"EUR","note":"€"}',
  token: "token",
  clientId: "cli_1",
  clientSecret: "secret",
  uniqueKey: "key",
};

function read(request: Buffer) {
  const [head = "", body] = request.toString("utf8").split("\r\n\r\n");
  const [line, ...rest] = head.split("\r\n");
  const headers = Object.fromEntries(rest.map((header) => header.split(": ") as [string, string]));
  return { line, headers, body };
}

test("a stamped request is one that the service accepts", () => {
  const requests = new SignedRequests([order]);
  const request = requests.blank();
  requests.stamp(request);
  const { line, headers, body } = read(request);
  expect(line).toBe("POST /api/v1/simulator/wallets/deposits HTTP/1.1");
  expect(body).toBe(order.body);
  expect(headers).toMatchObject({
    Host: "127.0.0.1:4000",
    Authorization: "Bearer token",
    ServiceAuthorization: "ServiceAuth Y2xpXzE=",
    UniqueKey: "key",
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(order.body ?? "")),
  });
  const { Reference: reference = "", Signature: signature = "" } = headers;
  const url = order.origin + order.path;
  expect(verifySignature(signature, { ...order, url, reference })).toBe(true);
});

test("no Reference comes twice, signed in advance or not", () => {
  const requests = new SignedRequests([order]);
  const request = requests.blank();
  requests.sign(5);
  const references = Array.from({ length: 12 }, () => {
    requests.stamp(request);
    return read(request).headers.Reference;
  });
  expect(new Set(references).size).toBe(12);
});

test("a request without a body has no content headers", () => {
  const { body: _, ...get } = { ...order, method: "GET" };
  const requests = new SignedRequests([get]);
  const request = requests.blank();
  requests.stamp(request);
  const { headers, body } = read(request);
  expect(body).toBe("");
  expect(Object.keys(headers)).not.toContain("Content-Length");
});

test("several orders take turns, each with its own length and signature", () => {
  const orders = ["/short", "/a/longer/path"].map((path) => ({ ...order, path }));
  const requests = new SignedRequests(orders);
  const request = requests.blank();
  const seen = new Set<string | undefined>();
  for (let i = 0; i < 100; i++) {
    const { line, headers } = read(request.subarray(0, requests.stamp(request)));
    const path = line?.split(" ")[1] ?? "";
    const { Reference: reference = "", Signature: signature = "" } = headers;
    const url = order.origin + path;
    expect(verifySignature(signature, { ...order, url, reference })).toBe(true);
    seen.add(path);
  }
  expect(seen).toEqual(new Set(["/short", "/a/longer/path"]));
});
