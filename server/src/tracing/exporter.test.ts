import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { createLog } from "../foundation/log.ts";
import { SpanExporter } from "./exporter.ts";
import { newSpanId, readTraceContext, type Span } from "./span.ts";

const log = createLog({ level: "silent" });

test("spans arrive at the collector as OTLP JSON", async () => {
  const received: { url: string | undefined; body: string }[] = [];
  const collector = createServer(async (request, response) => {
    received.push({ url: request.url, body: await text(request) });
    response.end("{}");
  });
  collector.listen(0, "127.0.0.1");
  await once(collector, "listening");
  const { port } = collector.address() as AddressInfo;

  const exporter = new SpanExporter(`http://127.0.0.1:${port}`, log);
  const context = readTraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
  exporter.add({
    ...context,
    spanId: newSpanId(),
    name: "GET /api/v1/wallets",
    startMs: 1_700_000_000_000.5,
    endMs: 1_700_000_000_001.5,
    isError: false,
    attributes: { "http.route": "/api/v1/wallets", "http.response.status_code": 200 },
  });
  await exporter.stop();
  collector.close();

  expect(received.map(({ url }) => url)).toEqual(["/v1/traces"]);
  const [span] = JSON.parse(received[0]?.body ?? "").resourceSpans[0].scopeSpans[0].spans;
  expect(span).toMatchObject({
    traceId: "0af7651916cd43dd8448eb211c80319c",
    parentSpanId: "b7ad6b7169203331",
    kind: 2,
    startTimeUnixNano: "1700000000000500000",
    endTimeUnixNano: "1700000000001500000",
    attributes: [
      { key: "http.route", value: { stringValue: "/api/v1/wallets" } },
      { key: "http.response.status_code", value: { intValue: "200" } },
    ],
    status: {},
  });
});

const span = (): Span => ({
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: newSpanId(),
  name: "GET /",
  startMs: 0,
  endMs: 1,
  isError: true,
  attributes: {},
});

test("a collector that is not there costs spans, nothing else", async () => {
  const exporter = new SpanExporter("http://127.0.0.1:9", log);
  exporter.add(span());
  await expect(exporter.stop()).resolves.toBeUndefined();
});

test("a collector that stays away is told of once, not with every try", async () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const exporter = new SpanExporter(
    "http://127.0.0.1:9",
    createLog({ level: "info", destination }),
  );
  for (let turn = 0; turn < 3; turn++) {
    exporter.add(span());
    await exporter.flush();
  }
  await exporter.stop();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, msg: "the trace collector does not answer" },
  ]);
});

test.each([
  undefined,
  "",
  "garbage",
  "00-00000000000000000000000000000000-b7ad6b7169203331-01",
  "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
  "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
])("traceparent %j begins a new trace", (traceparent) => {
  const context = readTraceContext(traceparent);
  expect(context.parentSpanId).toBeUndefined();
  expect(context.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(context.traceId).not.toBe(readTraceContext(traceparent).traceId);
});
