import fc from "fast-check";
import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { createLog, type Log } from "../foundation/log.ts";
import { AnswerLog } from "./answer-log.ts";
import { Metrics } from "./metrics.ts";

function linesOf(level: string, use: (log: Log) => void): unknown[] {
  const lines: string[] = [];
  use(createLog({ level, destination: { write: (line) => void lines.push(line) } }));
  return lines.map((line) => ({ ...JSON.parse(line), time: "whenever" }));
}

const answered =
  (reference: string | undefined) =>
  (log: Log): void => {
    const caller = { clientId: "cli_1", claim: { reference } };
    const request = {
      id: "req_1",
      method: "POST",
      routeUrl: "/api/v1/kyc/:kycToken",
      receivedMs: 0,
      caller: reference === undefined ? undefined : caller,
    } as unknown as FastifyRequest;
    const answers = new AnswerLog({
      listener: "api",
      log,
      metrics: new Metrics(),
      exporter: undefined,
    });
    answers.answered(request, 200, "000");
  };

const asTheLoggerDoes =
  (reference: string | undefined) =>
  (log: Log): void => {
    const fields = { requestId: "req_1", method: "POST", route: "/api/v1/kyc/:kycToken" };
    const client = reference === undefined ? undefined : "cli_1";
    log.info({ ...fields, status: 200, code: "000", ms: 0, client, reference }, "answered");
  };

const reference = fc.oneof(
  fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  }),
  fc.stringMatching(/^[a-z]{0,4}\d{9,16}[a-z-]{0,4}\d{0,4}$/),
  fc.stringMatching(/^(token|pan|bvn|Bearer|sk_|eyJ)[=:,]?[A-Za-z0-9]{0,20}$/),
  fc.constantFrom("4111111111111111", "x4111111111111111", '"\\', "22222222222", '"Buffer"'),
);

test("whatever the Reference, an answer's line says and hides what the logger's own would", () => {
  fc.assert(
    fc.property(reference, (each) => {
      expect(linesOf("info", answered(each))).toEqual(linesOf("info", asTheLoggerDoes(each)));
    }),
    { numRuns: 500 },
  );
});

test("a card number for a Reference is masked", () => {
  expect(JSON.stringify(linesOf("info", answered("4111111111111111")))).not.toContain(
    "41111111111",
  );
});

test("an answer to a stranger names no client", () => {
  expect(linesOf("info", answered(undefined))).toEqual(linesOf("info", asTheLoggerDoes(undefined)));
});

test("answers are not told below the level", () => {
  expect(linesOf("warn", answered("a"))).toEqual([]);
});

const failed =
  (error: Error) =>
  (log: Log): void => {
    const answers = new AnswerLog({
      listener: "api",
      log,
      metrics: new Metrics(),
      exporter: undefined,
    });
    for (let n = 0; n < 100; n++) {
      answers.failed({ id: `req_${n}` } as FastifyRequest, error, "the request failed");
    }
  };

test("an outage is told of now and then, without a stack", () => {
  const lines = linesOf(
    "error",
    failed(Object.assign(new Error("gone"), { code: "ECONNREFUSED" })),
  );
  expect(lines.length).toBeLessThan(100);
  expect(lines[0]).toMatchObject({ requestId: "req_0", reason: "gone", msg: "the request failed" });
  expect(JSON.stringify(lines)).not.toContain("stack");
});

test("a bug is told of each time, with its stack", () => {
  const lines = linesOf("error", failed(new TypeError("x is not a function")));
  expect(lines).toHaveLength(100);
  expect(lines[99]).toMatchObject({ requestId: "req_99", err: { stack: expect.any(String) } });
});
