import { getEventListeners } from "node:events";
import { inspect } from "node:util";
import {
  AbortedError,
  AuthenticationError,
  ConnectionError,
  DuplicateRequestError,
  FlorinError,
  IndeterminateError,
  LostAnswerError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  type ReceivedResponse,
  RefusedError,
  type Retry,
  type SentRequest,
  TimeoutError,
  ValidationError,
} from "@florin/sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  caught,
  fail,
  giveToken,
  hangUp,
  hangUpHalfway,
  type Line,
  Scripted,
  say,
  saySlowly,
  succeed,
} from "./harness/scripted.ts";

let server: Scripted;
beforeEach(async () => {
  server = await Scripted.start();
});
afterEach(() => server.stop());

const freeze = (options = {}, client = server.client()) => client.cards.freeze("card_1", options);
const references = () => server.calls.map(({ reference }) => reference);

describe("is tried again under the same Reference:", () => {
  test.each<[string, Line]>([
    ["a connection that is cut", hangUp],
    ["an answer that breaks off", hangUpHalfway],
    ["500", fail(500, "911")],
    ["502", fail(502, "152")],
    ["503", fail(503, "150", { "retry-after": "0" })],
    ["504", fail(504, "172")],
    ["429", fail(429, "170", { "retry-after": "0" })],
    ["a gateway's own 502", say(502, "<html>")],
    ["a stranger's 200", say(200, "<html>Please log in</html>")],
    ["a 200 that is no success", say(200, { responseCode: "911", responseMessage: "?" })],
  ])("%s", async (_what, line) => {
    server.says(line, line, succeed({ cardId: "card_1" }));
    expect(await freeze()).toEqual({ cardId: "card_1" });
    expect(new Set(references()).size).toBe(1);
    expect(references()).toHaveLength(3);
    expect(new Set(server.calls.map(({ body }) => body)).size).toBe(1);
  });
});

describe("is final:", () => {
  test.each<[number, string, typeof FlorinError]>([
    [400, "131", ValidationError],
    [400, "111", ValidationError],
    [400, "139", DuplicateRequestError],
    [401, "137", AuthenticationError],
    [401, "113", AuthenticationError],
    [403, "149", PermissionError],
    [404, "148", NotFoundError],
    [422, "116", RefusedError],
    [418, "178", FlorinError],
    [200, "178", FlorinError], // Status and code count together.
  ])("%i/%s", async (status, code, kind) => {
    server.says(fail(status, code));
    const error = await caught(freeze({ reference: "order-1" }));
    expect(error.constructor).toBe(kind);
    expect(error).toMatchObject({
      name: kind.name,
      message: `Failure ${code}`,
      responseCode: code,
      responseMessage: `Failure ${code}`,
      finality: "TerminalFailure",
      requestId: "req_1",
      httpStatus: status,
      reference: "order-1",
      errors: [],
    });
    expect(references()).toEqual(["order-1"]);
  });

  test("a redirect, which would take the credentials elsewhere", async () => {
    server.says(say(307, "", { location: "/elsewhere" }));
    expect(await caught(freeze())).toMatchObject({ httpStatus: 307 });
    expect(server.calls).toHaveLength(1);
  });

  test("a gateway's own 413", async () => {
    server.says(say(413, "<html>"));
    expect(await caught(freeze())).toMatchObject({ httpStatus: 413, responseCode: undefined });
  });
});

test("a connection that fails says why", async () => {
  const gone = await Scripted.start();
  const nobody = gone.url;
  gone.stop();
  const unreachable = [{ apiUrl: nobody }, { identityUrl: nobody }];
  for (const options of unreachable) {
    const error = await caught(freeze({ maxRetries: 0 }, server.client(options)));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toContain("ECONNREFUSED");
  }
});

describe("retries end", () => {
  test("when they are used up", async () => {
    server.says(fail(503, "150"));
    const error = await caught(freeze({ maxRetries: 2 }));
    expect(error).toBeInstanceOf(IndeterminateError);
    expect(error).toMatchObject({ finality: "Indeterminate", reference: references()[0] });
    expect(server.calls).toHaveLength(3);
  });

  test("when the service asks for more patience than a caller has", async () => {
    server.says(fail(429, "170", { "retry-after": "3600" }));
    const error = await caught(freeze());
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfterMs: 3_600_000 });
    expect(server.calls).toHaveLength(1);
  });

  test("with a time-out that says so", async () => {
    const retries: Retry[] = [];
    const client = server.client({ onRetry: (retry) => retries.push(retry) });
    server.says(saySlowly);
    const error = await caught(freeze({ timeoutMs: 20, maxRetries: 1 }, client));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(retries).toMatchObject([{ attempt: 1, error: expect.any(TimeoutError) }]);
  });
});

describe("a caller's signal", () => {
  test("ends all of many calls, and Node takes none of them for a leak", async () => {
    const warned: Error[] = [];
    const warn = (warning: Error) => warned.push(warning);
    process.on("warning", warn);
    const controller = new AbortController();
    server.says(() => undefined);
    const calls = Array.from({ length: 20 }, () => caught(freeze({ signal: controller.signal })));
    await expect.poll(() => server.calls.length).toBe(20);
    controller.abort();
    for (const error of await Promise.all(calls)) expect(error).toBeInstanceOf(AbortedError);
    process.off("warning", warn);
    expect(warned).toEqual([]);
  });

  test("is let go of when the calls are over", async () => {
    const { signal } = new AbortController();
    server.says(succeed({}));
    await Promise.all([freeze({ signal }), freeze({ signal })]);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("ends a call that waits for its answer", async () => {
    const controller = new AbortController();
    server.says(() => controller.abort("no more"));
    const error = await caught(freeze({ signal: controller.signal }));
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ cause: "no more", reference: references()[0] });
    expect(server.calls).toHaveLength(1);
  });

  test("ends a call that waits for its next attempt", async () => {
    const controller = new AbortController();
    const onRetry = () => controller.abort();
    const client = server.client({ backoffMs: 600_000, onRetry });
    server.says(hangUp);
    expect(await caught(freeze({ signal: controller.signal }, client))).toBeInstanceOf(
      AbortedError,
    );
    expect(server.calls).toHaveLength(1);
  });

  test("ends a call that waits for a token, and nobody else's", async () => {
    let giveIt = () => undefined as unknown;
    const asked = new Promise<void>((resolve) => {
      server.token = (response, seen) => {
        giveIt = () => giveToken("token-1")(response, seen);
        resolve();
      };
    });
    server.says(succeed({}));
    const controller = new AbortController();
    const client = server.client();
    const [first, second] = [freeze({ signal: controller.signal }, client), freeze({}, client)];
    await asked;
    controller.abort();
    expect(await caught(first)).toBeInstanceOf(AbortedError);
    giveIt();
    expect(await second).toEqual({});
    expect(server.calls).toHaveLength(1);
  });

  test("that is over before it begins sends nothing", async () => {
    server.says(succeed({}));
    const error = await caught(freeze({ signal: AbortSignal.abort() }));
    expect(error).toBeInstanceOf(AbortedError);
    expect(server.calls).toHaveLength(0);
  });
});

test("a read has a new Reference at each attempt", async () => {
  server.says(hangUp, fail(503, "150"), succeed({ cardId: "card_1" }));
  await server.client().cards.get("card_1");
  expect(new Set(references()).size).toBe(3);
});

describe("a Reference that is used up", () => {
  const outcome = {
    state: "Succeeded",
    method: "POST",
    path: "/api/v1/cards/card_1/freeze",
    resourceId: "card_1",
  };

  test("after a lost answer leads to what the first attempt came to", async () => {
    server.says(hangUp, fail(400, "139"), succeed(outcome), succeed({ cardId: "card_1" }));
    expect(await freeze()).toEqual({ cardId: "card_1" });
    const [first, second, asked, read] = server.calls;
    expect(second?.reference).toBe(first?.reference);
    expect(asked?.path).toBe(`/api/v1/requests/${first?.reference}`);
    expect(read?.path).toBe("/api/v1/cards/card_1");
    expect(new Set([first, asked, read].map((call) => call?.reference)).size).toBe(3);
  });

  test("and still being worked on is asked for again", async () => {
    const running = succeed({ ...outcome, state: "InProgress" });
    server.says(hangUp, fail(400, "139"), running, succeed(outcome), succeed({ status: "Frozen" }));
    expect(await freeze()).toEqual({ status: "Frozen" });
  });

  test("and still being worked on to the last leaves the call open", async () => {
    server.says(hangUp, fail(400, "139"), succeed({ ...outcome, state: "InProgress" }));
    const error = await caught(freeze({}, server.client({ maxRetries: 1 })));
    expect(error.constructor).toBe(IndeterminateError);
    expect(error).toMatchObject({ finality: "Indeterminate", reference: references()[0] });
    // Once more than there are retries.
    expect(server.calls).toHaveLength(4);
  });

  test("is looked up no longer than the caller wants", async () => {
    const controller = new AbortController();
    server.says(hangUp, fail(400, "139"), () => controller.abort());
    const error = await caught(freeze({ signal: controller.signal }));
    expect(error).toBeInstanceOf(AbortedError);
    expect(server.calls).toHaveLength(3);
  });

  test("whose outcome cannot be found out leaves the call open", async () => {
    server.says(hangUp, fail(400, "139"), fail(503, "150"));
    const error = await caught(freeze({ maxRetries: 1 }));
    expect(error.constructor).toBe(IndeterminateError);
    expect(error.reference).toBe(references()[0]);
  });

  test("whose result cannot be read is a success whose answer is lost", async () => {
    server.says(hangUp, fail(400, "139"), succeed(outcome), fail(404, "148"));
    const error = await caught(freeze());
    expect(error).toBeInstanceOf(LostAnswerError);
    expect(error).toMatchObject({ finality: "TerminalSuccess", outcome });
  });

  test.each([
    ["a call that was never worked on", [fail(429, "170", { "retry-after": "0" })]],
    ["a first attempt", []],
  ])("by somebody else, seen by %s, is a duplicate", async (_by, lines) => {
    server.says(...lines, fail(400, "139"));
    expect(await caught(freeze({ reference: "order-1" }))).toBeInstanceOf(DuplicateRequestError);
  });

  test("by somebody else, seen after the token server was down, is a duplicate", async () => {
    const give = server.token;
    server.token = (response) => {
      server.token = give;
      response.destroy();
    };
    server.says(fail(400, "139"));
    expect(await caught(freeze({ reference: "order-1" }))).toBeInstanceOf(DuplicateRequestError);
  });
});

describe("hooks", () => {
  test("hear of every attempt, and of no secret", async () => {
    const heard: [string, SentRequest | ReceivedResponse | Retry][] = [];
    const client = server.client({
      onRequest: (sent) => heard.push(["request", sent]),
      onResponse: (received) => heard.push(["response", received]),
      onRetry: (retry) => heard.push(["retry", retry]),
    });
    server.says(hangUp, fail(422, "116"));
    const error = await caught(freeze({ reference: "order-1" }, client));
    const call = { method: "POST", reference: "order-1", url: expect.stringMatching(/freeze$/) };
    expect(heard).toMatchObject([
      ["request", { ...call, attempt: 1 }],
      ["retry", { ...call, attempt: 1, error: expect.any(ConnectionError) }],
      ["request", { ...call, attempt: 2 }],
      ["response", { ...call, attempt: 2, httpStatus: 422, responseCode: "116" }],
    ]);
    const all = inspect([heard, error, client], { depth: 12, showHidden: true });
    for (const secret of ["the-client-secret", "the-unique-key", "token-1"])
      expect(all).not.toContain(secret);
  });

  test("that throw change nothing", async () => {
    const fails = () => {
      throw new Error("The log is full.");
    };
    server.says(hangUp, succeed({}));
    const client = server.client({ onRequest: fails, onResponse: fails, onRetry: fails });
    expect(await freeze({}, client)).toEqual({});
  });
});

test.each([
  ["reference", { reference: "with space" }],
  ["timeoutMs", { timeoutMs: 0 }],
  ["timeoutMs", { timeoutMs: 2 ** 31 }],
  ["maxRetries", { maxRetries: -1 }],
])("a bad %s is an error of the program, and sends nothing", async (_name, options) => {
  await expect(freeze(options)).rejects.toThrow(TypeError);
  expect(server.calls).toHaveLength(0);
});
