import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verdict } from "./harness/answers.ts";
import { bvn, verifyIndividual } from "./harness/kyc.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test("what cards can be issued, with limits and rates as people write them", async () => {
  const { status, body } = await service.client.get("/programmes");
  expect(status).toBe(200);
  const [usd, ngn, ...more] = body.data;
  expect(more).toEqual([]);
  expect(usd).toEqual({
    programmeId: "usd-us",
    currency: "USD",
    country: "US",
    brand: "Visa",
    bin: "411111",
    cardTypes: ["Retail", "Corporate", "Lite"],
    expiryYears: 3,
    topUpMaximum: 10_000,
    withdrawalMinimumLeft: 1,
    liteMinimum: 1,
    liteMaximum: 10_000,
    liteMaximumSwipes: 1000,
    negativeBalanceTolerance: 0,
    crossBorderPercent: 2,
    overCaptureTolerancePercent: 0,
    holdDays: 7,
    preAuthorizationHoldDays: 31,
    terminateNegativeAfterDays: null,
    autoRegularize: false,
    fx: expect.objectContaining({ EUR: 1.08, NGN: 0.00065 }),
  });
  expect(ngn).toMatchObject({ currency: "NGN", withdrawalMinimumLeft: 100, fx: { USD: 1540 } });
});

test("the programmes of the installation's own file", async () => {
  const file = join(service.dataDir, "programmes.json");
  const programme = {
    programmeId: "jpy",
    currency: "JPY",
    country: "Japan",
    brand: "Mastercard",
    bin: "52222222",
    topUpMaximum: 150_000,
    withdrawalMinimumLeft: 10,
    liteMinimum: 100,
    liteMaximum: 50_000,
    liteMaximumSwipes: 5,
    negativeBalanceTolerance: 20,
    crossBorderRateBps: 125,
    overCaptureToleranceBps: 50,
    holdDays: 3,
    preAuthorizationHoldDays: 9,
    terminateNegativeAfterDays: 30,
    autoRegularize: true,
  };
  writeFileSync(file, JSON.stringify([programme]));
  const other = await startTestService({ FLORIN_PROGRAMMES_FILE: file });
  try {
    const { body } = await other.client.get("/programmes");
    expect(body.data).toEqual([
      expect.objectContaining({
        programmeId: "jpy",
        currency: "JPY",
        country: "JP",
        topUpMaximum: 150_000,
        withdrawalMinimumLeft: 10,
        liteMinimum: 100,
        liteMaximum: 50_000,
        liteMaximumSwipes: 5,
        negativeBalanceTolerance: 20,
        crossBorderPercent: 1.25,
        overCaptureTolerancePercent: 0.5,
        holdDays: 3,
        preAuthorizationHoldDays: 9,
        terminateNegativeAfterDays: 30,
        autoRegularize: true,
        fx: {},
      }),
    ]);
  } finally {
    await other.stop();
  }
});

test("a lite card is held to the limits of its own programme", async () => {
  const file = join(service.dataDir, "lite.json");
  const dollars = { programmeId: "usd", currency: "USD", country: "US", brand: "Visa" };
  const yen = { programmeId: "jpy", currency: "JPY", country: "JP", brand: "Visa" };
  const limits = { liteMinimum: 100, liteMaximum: 50_000, liteMaximumSwipes: 5 };
  const programmes = [
    { ...dollars, bin: "411111" },
    { ...yen, bin: "422222", ...limits },
  ];
  writeFileSync(file, JSON.stringify(programmes));
  const other = await startTestService({ FLORIN_PROGRAMMES_FILE: file });
  try {
    const { client } = other;
    await client.post("/simulator/wallets/deposits", { currency: "JPY", amount: 60_000 });
    const { customerId } = (await verifyIndividual(client, bvn())).body.data;
    const issue = async (balance: number, swipeCount: number): Promise<string> =>
      verdict(
        await client.post("/cards/lite", { customerId, currency: "JPY", balance, swipeCount }),
      );
    expect(await issue(99, 1)).toBe("400/111");
    expect(await issue(50_001, 1)).toBe("400/111");
    expect(await issue(100, 6)).toBe("400/131");
    expect(await issue(100, 5)).toBe("200/000");
    expect(await issue(50_000, 1)).toBe("200/000");
  } finally {
    await other.stop();
  }
});
