import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectRefusal, verdict } from "./harness/answers.ts";
import { type ApiAnswer, type CallOptions, newReference } from "./harness/api-client.ts";
import { eventually } from "./harness/eventually.ts";
import { foundOrganization, openOperator } from "./harness/operator.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const DEPOSITS = "/simulator/wallets/deposits";
const SEEN = "Reference value has already been seen in the last 24 hours";
const DAY_S = 24 * 60 * 60;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const deposit = (reference: string, amount = 1, currency = "USD"): Promise<ApiAnswer> =>
  service.client.post(DEPOSITS, { currency, amount }, { reference });

const wallets = async (): Promise<{ currency: string; balance: number }[]> =>
  (await service.client.get("/wallets")).body.data;

const balance = async (currency = "USD"): Promise<number> =>
  (await wallets()).find((wallet) => wallet.currency === currency)?.balance ?? 0;

const outcome = async (reference: string) =>
  (await service.client.get(`/requests/${encodeURIComponent(reference)}`)).body.data;

/** Fails for good after every check before the handler, so that the failure is remembered. */
const failing = (reference: string, body: unknown = { a: 1 }, path = "/nowhere") =>
  service.client.post(path, body, { reference });

function expectSeen(answer: ApiAnswer): void {
  expectRefusal(answer, "400/139");
  expect(answer.body.responseMessage).toBe(SEEN);
}

function expectPayloadChanged(answer: ApiAnswer): void {
  expectRefusal(answer, "400/139");
  expect(answer.body.responseMessage).toMatch(/payload/);
  expect(answer.body.responseMessage).not.toBe(SEEN);
}

describe("a Reference that has succeeded", () => {
  test("is refused, whether the payload is the same or another, and has one effect", async () => {
    const reference = newReference();
    const before = await balance();
    expect((await deposit(reference, 5)).status).toBe(200);
    expectSeen(await deposit(reference, 5));
    expectSeen(await deposit(reference, 6));
    expect(await balance()).toBe(before + 5);
  });

  test("counts for every method and path, GET included", async () => {
    const reference = newReference();
    expect((await service.client.get("/wallets", { reference })).status).toBe(200);
    expectSeen(await service.client.get("/wallets", { reference }));
    expectSeen(await service.client.get("/wallets?x=1", { reference }));
    expectSeen(await service.client.get(`/requests/${newReference()}`, { reference }));
    expectSeen(await deposit(reference));
    expectSeen(await failing(reference));
  });

  test("outranks what is wrong with the rest of the request, but not its authentication", async () => {
    const reference = newReference();
    await deposit(reference);
    const malformed = (body: unknown, options: CallOptions = {}) =>
      service.client.post(DEPOSITS, body, { reference, ...options });
    expectSeen(await malformed({}));
    expectSeen(await malformed("{"));
    expectSeen(await malformed({ currency: "USD", amount: 0.001 }));
    expectSeen(
      await malformed({ currency: "USD", amount: 1 }, { headers: { "Content-Type": "x/y" } }),
    );
    expectSeen(await service.client.get("/%zz", { reference }));
    expectRefusal(await malformed({}, { headers: { Signature: "bad" } }), "401/137");
    expectRefusal(await malformed({}, { headers: { UniqueKey: "bad" } }), "401/113");
  });

  test("a refused repetition leaves nothing at all, not even an empty wallet", async () => {
    const reference = newReference();
    await deposit(reference);
    expectSeen(await deposit(reference, 1, "CHF"));
    expect((await wallets()).map(({ currency }) => currency)).not.toContain("CHF");
  });

  test("belongs to its client: another's of the same name is another", async () => {
    const operator = await openOperator(service);
    try {
      const other = await foundOrganization(operator, service);
      const reference = newReference();
      expect((await deposit(reference)).status).toBe(200);
      const theirs = await other.client.post(
        DEPOSITS,
        { currency: "USD", amount: 2 },
        { reference },
      );
      expect(theirs.body.data).toMatchObject({ balance: 2 });
      expect((await other.client.get(`/requests/${reference}`)).body.data.resourceId).toBe(
        theirs.body.data.walletId,
      );
      const unseen = newReference();
      await deposit(unseen);
      expect((await other.client.get(`/requests/${unseen}`)).body.data.state).toBe("Unknown");
    } finally {
      await operator.close();
    }
  });

  test("is told from others by every character, case included", async () => {
    const reference = newReference().slice(0, 10);
    for (const other of [`${reference}a`, `${reference}A`, `${reference}a!`]) {
      expect((await deposit(other)).status).toBe(200);
    }
  });
});

describe("a Reference whose request failed", () => {
  test("runs again with the same payload, as often as it fails", async () => {
    const reference = newReference();
    for (let attempt = 0; attempt < 3; attempt++) {
      expectRefusal(await failing(reference), "404/157");
    }
  });

  test.each<[string, (reference: string) => Promise<ApiAnswer>]>([
    ["another body", (reference) => failing(reference, { a: 2 })],
    ["the same JSON in other bytes", (reference) => failing(reference, '{ "a": 1 }')],
    ["no body", (reference) => service.client.call("POST", "/nowhere", { reference })],
    ["another path", (reference) => failing(reference, { a: 1 }, "/elsewhere")],
    ["another query", (reference) => failing(reference, { a: 1 }, "/nowhere?b=1")],
    [
      "another method",
      (reference) => service.client.call("PUT", "/nowhere", { reference, body: { a: 1 } }),
    ],
    ["a deposit", (reference) => deposit(reference)],
    ["a read", (reference) => service.client.get("/wallets", { reference })],
  ])("is refused with %s, and the original may still be retried", async (_what, change) => {
    const reference = newReference();
    const before = await balance();
    expectRefusal(await failing(reference), "404/157");
    expectPayloadChanged(await change(reference));
    expectRefusal(await failing(reference), "404/157");
    expect(await balance()).toBe(before);
  });
});

describe("a request that fails before its operation leaves no trace", () => {
  const good = { currency: "USD", amount: 1 };
  test.each<[string, string, unknown, CallOptions]>([
    ["a bad token", "401/146", good, { headers: { Authorization: "Bearer x" } }],
    ["another client", "401/146", good, { headers: { ServiceAuthorization: "ServiceAuth eA==" } }],
    ["a bad unique key", "401/113", good, { headers: { UniqueKey: "x" } }],
    ["a bad signature", "401/137", good, { headers: { Signature: "x" } }],
    ["broken JSON", "400/131", "{", {}],
    ["a repeated field", "400/131", '{"currency":"USD","amount":1,"amount":2}', {}],
    ["another content type", "400/131", good, { headers: { "Content-Type": "text/plain" } }],
    ["an unknown field", "400/131", { ...good, x: 1 }, {}],
    ["a missing field", "400/131", { currency: "USD" }, {}],
    ["an unknown currency", "400/131", { ...good, currency: "XXX" }, {}],
    ["too large a body", "400/131", { ...good, x: "x".repeat(300 * 1024) }, {}],
    ["an amount of nothing", "400/111", { ...good, amount: 0 }, {}],
    ["an amount with too many decimals", "400/111", { ...good, amount: 0.001 }, {}],
    ["too large an amount", "400/111", { ...good, amount: 10_000_000.01 }, {}],
    ["an amount in words", "400/111", { ...good, amount: "1" }, {}],
  ])("%s: %s", async (_what, expected, body, options) => {
    const reference = newReference();
    const answer = await service.client.post(DEPOSITS, body, { reference, ...options });
    expect(verdict(answer)).toBe(expected);
    expect((await outcome(reference)).state).toBe("Unknown");
    expect(verdict(await deposit(reference))).toBe("200/000");
  });

  test.each([
    ["a malformed card id", "400/112", "/cards/x"],
    ["a filter's date that is none", "400/132", "/transactions?from=2026-02-30"],
    ["a filter's end before its start", "400/132", "/transactions?from=2026-01-02&to=2026-01-01"],
  ])("%s: %s", async (_what, expected, path) => {
    const reference = newReference();
    expectRefusal(await service.client.get(path, { reference }), expected);
    expect((await outcome(reference)).state).toBe("Unknown");
    expect(verdict(await deposit(reference))).toBe("200/000");
  });

  test("too many requests: 429/170", async () => {
    const limited = await startTestService({ FLORIN_RATE_LIMIT_RPS: "1" });
    try {
      const { client } = limited;
      const send = (reference: string) => client.post(DEPOSITS, good, { reference });
      const reference = await eventually("a request is one too many", async () => {
        const tried = newReference();
        return verdict(await send(tried)) === "429/170" ? tried : undefined;
      });
      const retried = await eventually("there is room again", async () => {
        const answer = await send(reference);
        return answer.status === 429 ? undefined : answer;
      });
      expect(verdict(retried)).toBe("200/000");
    } finally {
      await limited.stop();
    }
  });
});

describe("one Reference in flight many times", () => {
  const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));
  const verdicts = (answers: ApiAnswer[]): string[] => answers.map(verdict).toSorted();
  const oneOf20 = ["200/000", ...Array.from({ length: 19 }, () => "400/139")];

  test("has one effect; all others wait and learn that it was used", async () => {
    const reference = newReference();
    const before = await balance();
    const answers = await times(20, () => deposit(reference));
    expect(verdicts(answers)).toEqual(oneOf20);
    for (const answer of answers) if (answer.status !== 200) expectSeen(answer);
    expect(await balance()).toBe(before + 1);
  });

  test("with different payloads, too", async () => {
    const reference = newReference();
    const before = await balance();
    const answers = await times(20, (index) => deposit(reference, index + 1));
    expect(verdicts(answers)).toEqual(oneOf20);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await balance()).toBe(before + winner + 1);
  });

  test("as a read and as a deposit", async () => {
    const reference = newReference();
    const answers = await times(20, (index) =>
      index % 2 === 0 ? deposit(reference) : service.client.get("/wallets", { reference }),
    );
    expect(verdicts(answers)).toEqual(oneOf20);
  });

  test("failing, each runs in its turn and fails", async () => {
    const reference = newReference();
    const answers = await times(20, () => failing(reference));
    expect(new Set(verdicts(answers))).toEqual(new Set(["404/157"]));
  });
});

describe("any sequence of requests over a few References", () => {
  type Step = {
    reference: number;
    what: "deposit" | "malformed" | "read" | "fail";
    payload: number;
  };
  const step: fc.Arbitrary<Step> = fc.record({
    reference: fc.nat({ max: 2 }),
    what: fc.constantFrom("deposit", "malformed", "read", "fail"),
    payload: fc.integer({ min: 1, max: 3 }),
  });

  test("answers as the rules say", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
        const prefix = newReference();
        const known = new Map<number, "Succeeded" | { failedWith: number }>();
        let expectedBalance = await balance();
        for (const { reference, what, payload } of steps) {
          const before = known.get(reference);
          const isRetry =
            typeof before === "object" && what === "fail" && before.failedWith === payload;
          const mayRun = before === undefined || isRetry;
          const answer = await send(what, `${prefix}-${reference}`, payload);
          expect(verdict(answer)).toBe(mayRun ? EXPECTED[what] : "400/139");
          if (!mayRun) {
            expect(answer.body.responseMessage === SEEN).toBe(before === "Succeeded");
          } else if (what === "fail") known.set(reference, { failedWith: payload });
          else if (what !== "malformed") known.set(reference, "Succeeded");
          if (mayRun && what === "deposit") expectedBalance += payload;
        }
        expect(await balance()).toBe(expectedBalance);
      }),
      { numRuns: 60 },
    );
  });

  const EXPECTED = {
    deposit: "200/000",
    read: "200/000",
    malformed: "400/111",
    fail: "404/157",
  } as const;

  function send(what: Step["what"], reference: string, payload: number): Promise<ApiAnswer> {
    if (what === "deposit") return deposit(reference, payload);
    if (what === "malformed") return deposit(reference, -payload);
    if (what === "fail") return failing(reference, { payload });
    return service.client.get("/wallets", { reference });
  }
});

// Last in this file, because it moves the clock.
describe("24 hours", () => {
  async function advance(seconds: number): Promise<void> {
    const answer = await service.client.post("/simulator/clock/advance", { seconds });
    expect(answer.status).toBe(200);
    service.client.forgetToken();
  }

  test("from its success a Reference is refused, and after them it may be used again", async () => {
    const reference = newReference();
    const before = await balance();
    await deposit(reference);
    await advance(DAY_S - 60);
    expectSeen(await deposit(reference));
    expect((await outcome(reference)).state).toBe("Succeeded");
    await advance(61);
    expect((await outcome(reference)).state).toBe("Unknown");
    expect(verdict(await deposit(reference, 2))).toBe("200/000");
    expectSeen(await deposit(reference, 2));
    expect(await balance()).toBe(before + 3);
  });

  test("of a Reference that failed first begin with its success", async () => {
    const reference = newReference();
    await failing(reference);
    await advance(DAY_S / 2);
    expectPayloadChanged(await failing(reference, { a: 2 }));
    await advance(DAY_S / 2 + 1);
    expect((await outcome(reference)).state).toBe("Unknown");
    expect(verdict(await deposit(reference))).toBe("200/000");
    await advance(DAY_S - 60);
    expectSeen(await deposit(reference));
  });
});
