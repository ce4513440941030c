import { AbortedError, ConnectionError } from "@florin/sdk";
import { afterEach, beforeEach, expect, test } from "vitest";
import { caught, type Line, Scripted } from "./harness/scripted.ts";

let server: Scripted;
beforeEach(async () => {
  server = await Scripted.start();
});
afterEach(() => server.stop());

const begin: Line = (response) => {
  response.writeHead(200, { "content-type": "text/csv; charset=utf-8" });
  response.write("transactionId\n");
};

test("a download may take longer than an answer may", async () => {
  server.says((response, seen) => {
    begin(response, seen);
    setTimeout(() => response.end("txn_1\n"), 1_500);
  });
  const csv = server.client({ timeoutMs: 1_000 }).transactions.exportCsv();
  expect(await csv.text()).toBe("transactionId\ntxn_1\n");
});

test("a download is ended by the caller's signal", async () => {
  const controller = new AbortController();
  server.says(begin);
  const csv = server.client().transactions.exportCsv({}, { signal: controller.signal });
  const read = async () => {
    for await (const piece of csv) if (piece !== "") controller.abort();
  };
  expect(await caught(read())).toBeInstanceOf(AbortedError);
});

test("a download that breaks off says so", async () => {
  server.says((response) => {
    response.writeHead(200, { "content-type": "text/csv; charset=utf-8" });
    response.write("transactionId\n", () => response.destroy());
  });
  const csv = server.client().transactions.exportCsv();
  const error = await caught(csv.text());
  expect(error).toBeInstanceOf(ConnectionError);
});
