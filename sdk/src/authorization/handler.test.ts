import { setImmediate } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { signPayload } from "../webhooks/signing.ts";
import { type AuthorizationHandlerOptions, authorizationHandler } from "./handler.ts";

const secret = `whsec_${Buffer.from("a secret of ours").toString("base64")}`;
const question = JSON.stringify({ requestType: "Authorization", requestId: "req_1" });
const advice = JSON.stringify({ requestType: "Settlement", requestId: "req_2" });

const handlerWith = (options: Partial<AuthorizationHandlerOptions> = {}) =>
  authorizationHandler({ secret, decide: () => ({ decision: "Approve" }), ...options });

async function ask(
  options: Partial<AuthorizationHandlerOptions>,
  body = question,
  method = "POST",
): Promise<unknown> {
  const headers = await signPayload(body, { id: "req_1", at: new Date(), secret });
  const { status, body: text } = await handlerWith(options).handle({ method, headers, body });
  return [status, JSON.parse(text)];
}

const error = { error: expect.any(String) };

describe("a handler", () => {
  const fails = () => {
    throw new Error("No.");
  };
  test.each<[string, Partial<AuthorizationHandlerOptions>, unknown]>([
    ["answers what is decided", {}, [200, { decision: "Approve" }]],
    ["declines when nothing is", { decide: fails }, [200, { decision: "Decline" }]],
    [
      "says what is to be said otherwise",
      { decide: fails, otherwise: { decision: "Approve", metadata: { stoodIn: true } } },
      [200, { decision: "Approve", metadata: { stoodIn: true } }],
    ],
    [
      "declines rather than say what nobody understands",
      { decide: () => ({ decision: "Maybe" }) as never },
      [200, { decision: "Decline" }],
    ],
    [
      "declines rather than say nothing",
      { decide: () => undefined as never },
      [200, { decision: "Decline" }],
    ],
    [
      "leaves out metadata that JSON cannot hold",
      { decide: () => ({ decision: "Approve", metadata: { orderId: 7n } }) },
      [200, { decision: "Approve" }],
    ],
    [
      "leaves out metadata that is more than Florin reads",
      { decide: () => ({ decision: "Decline", metadata: { log: "x".repeat(70_000) } }) },
      [200, { decision: "Decline" }],
    ],
    [
      "leaves out metadata that is no object",
      { decide: () => ({ decision: "Decline", metadata: ["rule"] }) as never },
      [200, { decision: "Decline" }],
    ],
    [
      "leaves out a code that is no text",
      { decide: () => ({ decision: "Decline", responseCode: 129 }) as never },
      [200, { decision: "Decline" }],
    ],
    [
      "keeps what Florin understands",
      { decide: () => ({ decision: "Decline", responseCode: "129", metadata: { rule: 7 } }) },
      [200, { decision: "Decline", responseCode: "129", metadata: { rule: 7 } }],
    ],
    [
      "survives a hook that fails",
      { decide: fails, onError: fails },
      [200, { decision: "Decline" }],
    ],
    [
      "declines when it is too late",
      { decide: () => new Promise(() => undefined), deadlineMs: 1 },
      [200, { decision: "Decline" }],
    ],
  ])("%s", async (_what, options, expected) => {
    expect(await ask(options)).toEqual(expected);
  });

  test.each<[string, Partial<AuthorizationHandlerOptions>, unknown]>([
    ["acknowledges it", {}, [200, {}]],
    ["wants it again when it could not be taken", { advise: fails }, [500, error]],
    [
      "wants it again when it could not be taken later",
      { advise: async () => Promise.reject(new Error("No.")) },
      [500, error],
    ],
  ])("that is given advice %s", async (_what, options, expected) => {
    expect(await ask(options, advice)).toEqual(expected);
  });

  test("waits 300 milliseconds for a decision, unless it is told otherwise", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      let signal: AbortSignal | undefined;
      const answer = ask({
        decide: (_request, context) => {
          signal = context.signal;
          return new Promise(() => undefined);
        },
      });
      while (signal === undefined) await setImmediate();
      vi.advanceTimersByTime(299);
      expect(signal.aborted).toBe(false);
      vi.advanceTimersByTime(1);
      expect(signal.aborted).toBe(true);
      expect(await answer).toEqual([200, { decision: "Decline" }]);
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([
    ["another method", question, "GET", 405],
    ["what it does not know", '{"requestType":"Chat"}', "POST", 400],
    ["what is no JSON", "hello", "POST", 400],
    ["what is no object", "null", "POST", 400],
  ])("does not answer %s", async (_what, body, method, status) => {
    expect(await ask({}, body, method)).toEqual([status, error]);
  });

  test.each([[""], [[]], ["whsec_%"]])("is not made with %j for its secret", (wrong) => {
    expect(() => handlerWith({ secret: wrong })).toThrow(TypeError);
  });

  test.each([[0], [Number.NaN], [Number.POSITIVE_INFINITY]])(
    "is not made with %d for its deadline",
    (deadlineMs) => {
      expect(() => handlerWith({ deadlineMs })).toThrow("deadlineMs");
    },
  );

  test("tells why it left metadata out", async () => {
    const onError = vi.fn();
    await ask({ decide: () => ({ decision: "Approve", metadata: { orderId: 7n } }), onError });
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.any(TypeError));
  });
});

describe("behind Express", () => {
  const send = async (request: object): Promise<{ status: number; errors: unknown[] }> => {
    const errors: unknown[] = [];
    const headers = await signPayload(question, { id: "req_1", at: new Date(), secret });
    const response = { statusCode: 0, setHeader: () => undefined, end: () => undefined };
    const express = handlerWith({ onError: (each) => errors.push(each) }).toExpress();
    await express({ method: "POST", headers, ...request } as never, response);
    return { status: response.statusCode, errors };
  };
  async function* stream() {
    yield question.slice(0, 10);
    yield Buffer.from(question.slice(10));
  }

  test.each([
    ["as it comes", { [Symbol.asyncIterator]: stream }],
    ["as express.raw() leaves it", { body: Buffer.from(question), readableEnded: true }],
    ["as express.text() leaves it", { body: question, readableEnded: true }],
  ])("the body is taken %s", async (_how, request) => {
    expect(await send(request)).toEqual({ status: 200, errors: [] });
  });

  test("a body that was parsed already is an error that says what to do", async () => {
    const { status, errors } = await send({ body: JSON.parse(question), readableEnded: true });
    expect(status).toBe(400);
    expect(errors).toMatchObject([{ message: expect.stringContaining("body parser") }]);
  });
});
