import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { becomes, expectRefusal, TIMESTAMP, verdict, WALLET_ID } from "./harness/answers.ts";
import { type ApiAnswer, newReference } from "./harness/api-client.ts";
import { eventually } from "./harness/eventually.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const DEPOSITS = "/simulator/wallets/deposits";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const deposit = (reference: string, amount = 1, currency = "USD"): Promise<ApiAnswer> =>
  service.client.post(DEPOSITS, { currency, amount }, { reference });

/** As GET /requests/{reference} tells it. */
const outcome = async (reference: string) =>
  (await service.client.get(`/requests/${encodeURIComponent(reference)}`)).body.data;

const failing = (reference: string, path = "/nowhere") =>
  service.client.post(path, { a: 1 }, { reference });

const unknown = (reference: string) => ({
  reference,
  state: "Unknown",
  method: null,
  path: null,
  httpStatus: null,
  responseCode: null,
  resourceId: null,
  completedAt: null,
});

test("a Reference never used is Unknown, and that is an answer, not an error", async () => {
  const reference = newReference();
  const answer = await service.client.get(`/requests/${reference}`);
  expect(verdict(answer)).toBe("200/000");
  expect(answer.body.data).toEqual(unknown(reference));
});

test("Succeeded, with what the request made", async () => {
  const reference = newReference();
  const { walletId } = (await deposit(reference)).body.data;
  expect(await outcome(reference)).toEqual({
    reference,
    state: "Succeeded",
    method: "POST",
    path: `/api/v1${DEPOSITS}`,
    httpStatus: 200,
    responseCode: "000",
    resourceId: expect.stringMatching(WALLET_ID),
    completedAt: expect.stringMatching(TIMESTAMP),
  });
  expect((await outcome(reference)).resourceId).toBe(walletId);
});

test("Succeeded for a read, which made nothing", async () => {
  const reference = newReference();
  await service.client.get("/wallets", { reference });
  expect(await outcome(reference)).toMatchObject({
    state: "Succeeded",
    method: "GET",
    path: "/api/v1/wallets",
    resourceId: null,
  });
});

test("Failed, with the code that it failed with and the path without its query", async () => {
  const reference = newReference();
  await failing(reference, "/nowhere?b=1");
  expect(await outcome(reference)).toMatchObject({
    reference,
    state: "Failed",
    method: "POST",
    path: "/api/v1/nowhere",
    httpStatus: 404,
    responseCode: "157",
    resourceId: null,
    completedAt: expect.stringMatching(TIMESTAMP),
  });
});

test("a refused repetition does not change the outcome of the original", async () => {
  const reference = newReference();
  await deposit(reference);
  const before = await outcome(reference);
  await deposit(reference);
  await failing(reference);
  expect(await outcome(reference)).toEqual(before);
});

/** Keeps every deposit in SEK waiting for as long as `work` takes. */
async function whileWalletIsLocked(work: () => Promise<void>): Promise<void> {
  await deposit(newReference(), 1, "SEK");
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select from accounts where kind = 'Wallet' and currency = 'SEK' for update");
  try {
    await work();
  } finally {
    await holder.query("rollback");
    await holder.end();
  }
}

const kronor = async (): Promise<number> => {
  const { data } = (await service.client.get("/wallets")).body;
  return data.find(({ currency }: { currency: string }) => currency === "SEK")?.balance ?? 0;
};

const untilState = (reference: string, state: string) =>
  eventually(`the request is ${state}`, async () => {
    const found = await outcome(reference);
    return found.state === state ? found : undefined;
  });

test("InProgress while the database keeps it waiting, then Succeeded", async () => {
  const reference = newReference();
  let hanging: Promise<ApiAnswer> | undefined;
  await whileWalletIsLocked(async () => {
    hanging = deposit(reference, 5, "SEK");
    expect(await untilState(reference, "InProgress")).toEqual({
      ...unknown(reference),
      state: "InProgress",
      method: "POST",
      path: `/api/v1${DEPOSITS}`,
    });
  });
  expect((await hanging)?.status).toBe(200);
  expect((await outcome(reference)).state).toBe("Succeeded");
});

test("a request whose caller hangs up is finished all the same, and its outcome can be found", async () => {
  const reference = newReference();
  const before = await kronor();
  await whileWalletIsLocked(async () => {
    const impatience = new AbortController();
    const { signal } = impatience;
    const hanging = service.client.post(
      DEPOSITS,
      { currency: "SEK", amount: 5 },
      { reference, signal },
    );
    hanging.catch(() => undefined);
    await untilState(reference, "InProgress");
    impatience.abort();
    await expect(hanging).rejects.toThrow();
  });
  expect(await untilState(reference, "Succeeded")).toMatchObject({ responseCode: "000" });
  expectRefusal(await deposit(reference, 5, "SEK"), "400/139");
  expect(await kronor()).toBe(before + 6);
});

test("what was given up with 503/150 is Unknown, not Failed: nothing keeps its Reference", async () => {
  const reference = newReference();
  const before = await kronor();
  await whileWalletIsLocked(async () => {
    expectRefusal(await deposit(reference, 5, "SEK"), "503/150");
    expect(await outcome(reference)).toEqual(unknown(reference));
  });
  await becomes(async () => verdict(await deposit(reference, 7, "SEK")), "200/000");
  expect(await kronor()).toBe(before + 8);
});

test("its own Reference is in progress at that moment", async () => {
  const reference = newReference();
  const { body } = await service.client.get(`/requests/${reference}`, { reference });
  expect(body.data).toMatchObject({ state: "InProgress", method: "GET" });
  expect((await outcome(reference)).state).toBe("Succeeded");
});

test("finds every Reference that can be sent", async () => {
  const printable = fc
    .string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)),
      minLength: 1,
      maxLength: 30,
    })
    // Every HTTP client resolves dots in a path before it sends it.
    .filter((text) => !/^\.{1,2}$/.test(text));
  await fc.assert(
    fc.asyncProperty(printable, async (reference) => {
      const known = (await outcome(reference)).state;
      const answer = await deposit(reference);
      expect(verdict(answer)).toBe(known === "Unknown" ? "200/000" : "400/139");
      expect(await outcome(reference)).toMatchObject({ reference, state: "Succeeded" });
    }),
    { numRuns: 40 },
  );
});

test("what cannot be a Reference is an invalid request", async () => {
  expectRefusal(await service.client.get(`/requests/${"x".repeat(31)}`), "400/131");
  expectRefusal(await service.client.get("/requests/a%20b"), "400/131");
});

test("a card or identity number that somebody puts into a path is not kept", async () => {
  const reference = newReference();
  await service.client.get("/kyc/22222222222", { reference });
  expect(await outcome(reference)).toMatchObject({
    state: "Failed",
    path: "/api/v1/kyc/***********",
  });
});
