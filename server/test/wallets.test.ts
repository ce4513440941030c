import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test("a sandbox is born with 100,000.00 USD", async () => {
  const { status, body } = await service.client.get("/wallets");
  expect(status).toBe(200);
  expect(body).toMatchObject({
    responseCode: "000",
    responseMessage: "Success",
    finality: "TerminalSuccess",
    requestId: expect.stringMatching(/^req_[0-9a-hjkmnp-tv-z]{26}$/),
    data: [{ currency: "USD", balance: 100_000, availableBalance: 100_000 }],
  });
});

test("a deposit is credited once, to the cent", async () => {
  const { body } = await service.client.post("/simulator/wallets/deposits", {
    currency: "USD",
    amount: 0.01,
  });
  expect(body.data).toMatchObject({
    currency: "USD",
    balance: 100_000.01,
    availableBalance: 100_000.01,
  });
});

test("the first deposit in a currency opens its wallet", async () => {
  const { body } = await service.client.post("/simulator/wallets/deposits", {
    currency: "JPY",
    amount: 500,
  });
  expect(body.data).toMatchObject({ currency: "JPY", balance: 500 });
  const wallets = await service.client.get("/wallets");
  expect(wallets.body.data.map((wallet: { currency: string }) => wallet.currency)).toEqual([
    "JPY",
    "USD",
  ]);
});
