import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { becomes, expectRefusal, verdict } from "./harness/answers.ts";
import { type ApiAnswer, newReference } from "./harness/api-client.ts";
import { openOperator } from "./harness/operator.ts";
import { DatabaseProxy } from "./harness/proxy.ts";
import { scratchDatabase } from "./harness/scratch.ts";
import { startTestService, type TestService } from "./harness/service.ts";
import { encodeSegment } from "./harness/signer.ts";

const DEPOSITS = "/simulator/wallets/deposits";

const lines: string[] = [];
let database: Awaited<ReturnType<typeof scratchDatabase>>;
let line: DatabaseProxy;
let service: TestService;
beforeAll(async () => {
  database = await scratchDatabase();
  line = await DatabaseProxy.before(database.url);
  service = await startTestService(
    { FLORIN_DATABASE_URL: line.url, FLORIN_LOG_LEVEL: "error" },
    { log: { write: (text) => void lines.push(text) } },
  );
});
afterAll(async () => {
  await service.stop();
  await line.close();
  await database.drop();
});

const statusOf = async (path: string): Promise<number> =>
  (await fetch(service.sandbox.apiUrl + path)).status;

const deposit = (reference: string): Promise<ApiAnswer> =>
  service.client.post(DEPOSITS, { currency: "USD", amount: 1 }, { reference });

const balance = async (): Promise<number> =>
  (await service.client.get("/wallets")).body.data[0].balance;

describe("without its database", () => {
  test("it is alive but not ready, calls are 503/150, and afterwards all is as before", async () => {
    const before = await balance();
    const reference = newReference();
    line.goDown();
    expect(await statusOf("/healthz")).toBe(200);
    expect(await statusOf("/readyz")).toBe(503);
    for (const answer of [
      await service.client.get("/wallets"),
      await service.client.get("/requests/x"),
      await deposit(reference),
    ]) {
      expectRefusal(answer, "503/150");
      expect(answer.body.finality).toBe("Indeterminate");
      const why = lines.find((text) => text.includes(answer.body.requestId)) ?? "";
      expect(JSON.parse(why)).toMatchObject({ reason: expect.stringMatching(/./) });
      expect(why).not.toContain("stack");
    }

    line.comeUp();
    await becomes(() => statusOf("/readyz"), 200);
    // Indeterminate is worth a retry with the same Reference: it works, once.
    await becomes(async () => verdict(await deposit(reference)), "200/000");
    expectRefusal(await deposit(reference), "400/139");
    expect(await balance()).toBe(before + 1);
  });

  test("a stranger is still told first that he is one", async () => {
    line.goDown();
    const answer = await service.client.get("/wallets", { headers: { Authorization: "Bearer x" } });
    line.comeUp();
    expectRefusal(answer, "401/146");
  });

  test("a token whose key is not known is not called bad: the key may be new", async () => {
    const head = encodeSegment({ alg: "ES256", kid: "perhaps-new" });
    const headers = { Authorization: `Bearer ${head}.${encodeSegment({})}.c2lnbmVk` };
    await becomes(
      async () => verdict(await service.client.get("/wallets", { headers })),
      "401/146",
    );
    line.goDown();
    await becomes(
      async () => verdict(await service.client.get("/wallets", { headers })),
      "503/150",
    );
    line.comeUp();
    await becomes(
      async () => verdict(await service.client.get("/wallets", { headers })),
      "401/146",
    );
  });

  test("the token endpoint fails in its own form, and recovers", async () => {
    await becomes(async () => (await service.client.requestToken()).status, 200);
    line.goDown();
    // The client may be known by heart for a moment.
    await becomes(async () => (await service.client.requestToken()).status >= 500, true);
    const { status, body } = await service.client.requestToken();
    line.comeUp();
    expect([500, 503]).toContain(status);
    expect(body).toStrictEqual({
      error: expect.any(String),
      error_description: expect.any(String),
    });
    await becomes(async () => (await service.client.requestToken()).status, 200);
  });
});

describe("with a bug of its own", () => {
  let operator: Core;
  beforeAll(async () => {
    operator = await openOperator({
      ...service,
      environment: { ...service.environment, FLORIN_DATABASE_URL: database.url },
    });
  });
  afterAll(() => operator.close());

  /** Nothing that a client sends should bring about a bug, so one is made from behind. */
  async function withBug<T>(work: () => Promise<T>, table = "accounts"): Promise<T> {
    await operator.pool.query(`alter table ${table} rename to ${table}_elsewhere`);
    try {
      return await work();
    } finally {
      await operator.pool.query(`alter table ${table}_elsewhere rename to ${table}`);
    }
  }

  test("it answers 500/911 and keeps the reason to itself and its log", async () => {
    const reference = newReference();
    const before = await balance();
    const answers = await withBug(async () => [
      await service.client.get("/wallets"),
      await deposit(reference),
    ]);
    for (const answer of answers) {
      expectRefusal(answer, "500/911");
      expect(answer.body.finality).toBe("Indeterminate");
      expect(Object.keys(answer.body)).toHaveLength(5);
      expect(JSON.stringify(answer.body)).not.toMatch(/accounts|relation|select|postgres/i);
      const { requestId } = answer.body;
      const reason = () => lines.find((text) => text.includes(requestId)) ?? "";
      await becomes(async () => /relation .*accounts/.test(reason()), true);
    }

    expect(verdict(await deposit(reference))).toBe("200/000");
    expectRefusal(await deposit(reference), "400/139");
    expect(await balance()).toBe(before + 1);
  });

  test("no success is told whose Reference could not be recorded", async () => {
    const reference = newReference();
    const read = () => service.client.get("/wallets", { reference });
    expectRefusal(await withBug(read, "request_references"), "500/911");
    expect(verdict(await read())).toBe("200/000");
    expectRefusal(await read(), "400/139");
  });
});
