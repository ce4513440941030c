import {
  type Card,
  ConnectionError,
  DuplicateRequestError,
  Florin,
  LostAnswerError,
  newReference,
  RefusedError,
  type Retry,
  verifyWebhook,
} from "@florin/sdk";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Receiver } from "../../server/test/harness/receiver.ts";
import { startTestService, type TestService } from "../../server/test/harness/service.ts";
import { adaIn, lagos } from "./harness/ada.ts";

let service: TestService;
let florin: Florin;
let retries: Retry[];
let card: Card;
beforeAll(async () => {
  service = await startTestService({ FLORIN_SANDBOX_KYC_DELAY_MS: "3600000" });
});
afterAll(() => service.stop());
beforeEach(async () => {
  retries = [];
  florin = new Florin({
    ...service.sandbox,
    backoffMs: 1,
    onRetry: (retry) => retries.push(retry),
  });
  await florin.simulator.injectFault({ fault: "None" });
  card = await florin.cards.issueRetail({ customerId: await adaIn(florin), initialBalance: 100 });
});

/** The next calls take effect and lose their answers. */
const cut = (count = 1) => florin.simulator.injectFault({ fault: "CutConnection", count });

const wallet = async (): Promise<number> => (await florin.wallets.get("USD")).balance;
const purchase = () => florin.simulator.authorize({ cardId: card.cardId, amount: 10 });
const settled = async () => florin.simulator.settle((await purchase()).transactionId);

describe("a top-up whose answer is lost", () => {
  // The second and the third cut strike what is asked to find the outcome.
  test.each([1, 2, 3, 4])(
    "%i times is made once, and answered as if nothing had been",
    async (n) => {
      const before = await wallet();
      await cut(n);
      const moved = await florin.cards.topUp(card.cardId, { amount: 25 });
      expect(retries.length).toBeGreaterThanOrEqual(1);
      expect(moved).toMatchObject({ type: "TopUp", amount: 25, cardBalance: 125 });
      expect(moved.walletBalance).toBe(await wallet());
      expect(await wallet()).toBe(before - 25);
      expect(await florin.cards.get(card.cardId)).toMatchObject({ balance: 125 });
      const { walletId } = await florin.wallets.get("USD");
      const entries = await florin.wallets.entries(walletId, { limit: 100 }).toArray();
      const { transactionId } = moved;
      expect(entries.filter((entry) => entry.transactionId === transactionId)).toHaveLength(1);
    },
  );

  test("among many at once is made once like all of them", async () => {
    const before = await wallet();
    await cut(6);
    const moved = await Promise.all(
      Array.from({ length: 10 }, () => florin.cards.topUp(card.cardId, { amount: 1 })),
    );
    expect(new Set(moved.map(({ transactionId }) => transactionId)).size).toBe(10);
    expect(await wallet()).toBe(before - 10);
    expect(await florin.cards.get(card.cardId)).toMatchObject({ balance: 110 });
  });
});

test("a card whose answer is lost is issued once", async () => {
  await cut();
  const { customerId } = card;
  const issued = await florin.cards.issueRetail({ customerId, initialBalance: 7 });
  const all = await florin.cards.list({ customerId }).toArray();
  expect(all).toEqual([issued, card]);
});

describe("what is lost is found again:", () => {
  const person = () => ({
    clientReference: newReference(),
    individualKyc: {
      idType: "BVN" as const,
      idNumber: "22222222222",
      firstName: "Ada",
      lastName: "Obi",
      address: lagos,
    },
  });
  const business = () => ({
    clientReference: newReference(),
    businessKyc: { registeredName: "Obi Ltd", registrationNumber: "RC1", address: lagos },
  });
  const corporateCustomer = async () => {
    const { kycToken } = await florin.kyc.verifyBusiness(business());
    const decided = await florin.simulator.decideKyc(kycToken, { status: "Approved" });
    return decided.customerId ?? "";
  };
  const endpoint = () => florin.webhookEndpoints.create({ url: "http://127.0.0.1:9/" });

  /** What a call needs, made before; the call itself; and what its answer shows. */
  const calls: [name: string, prepare: () => Promise<() => Promise<object>>, object][] = [
    ["a person", async () => () => florin.kyc.verifyIndividual(person()), { status: "Approved" }],
    ["a business", async () => () => florin.kyc.verifyBusiness(business()), {}],
    [
      "a decision on a business",
      async () => {
        const { kycToken } = await florin.kyc.verifyBusiness(business());
        return () => florin.simulator.decideKyc(kycToken, { status: "Approved" });
      },
      { status: "Approved", customerId: expect.any(String) },
    ],
    [
      "a corporate card",
      async () => {
        const customerId = await corporateCustomer();
        return () => florin.cards.issueCorporate({ customerId });
      },
      { type: "Corporate" },
    ],
    [
      "a lite card",
      async () => () =>
        florin.cards.issueLite({ customerId: card.customerId, balance: 5, swipeCount: 2 }),
      { type: "Lite", balance: 5 },
    ],
    [
      "a card of the same balance",
      async () => () => {
        const { customerId, cardId } = card;
        return florin.cards.reissue({ customerId, cardId, sharedBalance: true });
      },
      { sharedBalance: true, balance: 100 },
    ],
    [
      "a change",
      async () => () => florin.cards.change(card.cardId, { metadata: { team: "a" } }),
      { metadata: { team: "a" } },
    ],
    ["a freeze", async () => () => florin.cards.freeze(card.cardId), { status: "Frozen" }],
    [
      "an unfreeze",
      async () => {
        await florin.cards.freeze(card.cardId);
        return () => florin.cards.unfreeze(card.cardId);
      },
      { status: "Active" },
    ],
    ["an end", async () => () => florin.cards.terminate(card.cardId), { status: "Terminated" }],
    [
      "a withdrawal",
      async () => () => florin.cards.withdraw(card.cardId, { amount: 40 }),
      { type: "Withdrawal", amount: 40, cardBalance: 60, walletBalance: expect.any(Number) },
    ],
    [
      "a transfer",
      async () => {
        const other = await florin.cards.issueRetail({ customerId: card.customerId });
        const cards = { sourceCardId: card.cardId, beneficiaryCardId: other.cardId };
        return () => florin.cards.transfer({ ...cards, amount: 30 });
      },
      { type: "Transfer", amount: 30, cardBalance: 70 },
    ],
    [
      "what evens a closed card out",
      async () => {
        await florin.cards.terminate(card.cardId);
        await florin.simulator.forcePost({ cardId: card.cardId, amount: 10 });
        return () => florin.cards.regularize(card.cardId);
      },
      { type: "Regularization", cardBalance: 0, walletBalance: expect.any(Number) },
    ],
    ["a purchase", async () => purchase, { approved: true, heldAmount: 10, cardBalance: 100 }],
    [
      "a settlement",
      async () => {
        const { transactionId } = await purchase();
        return () => florin.simulator.settle(transactionId);
      },
      { settledAmount: 10, cardBalance: 90 },
    ],
    [
      "a reversal",
      async () => {
        const { transactionId } = await purchase();
        return () => florin.simulator.reverse(transactionId);
      },
      { reversedAmount: 10 },
    ],
    [
      "a refund",
      async () => {
        const { transactionId } = await settled();
        return () => florin.simulator.refund(transactionId);
      },
      { refundedAmount: 10 },
    ],
    [
      "a force post",
      async () => () => florin.simulator.forcePost({ cardId: card.cardId, amount: 3 }),
      { type: "Settlement", settledAmount: 3 },
    ],
    [
      "a refund of nothing",
      async () => () => florin.simulator.refundUnlinked({ cardId: card.cardId, amount: 3 }),
      { type: "Refund", cardBalance: 103 },
    ],
    [
      "a deposit",
      async () => () => florin.simulator.deposit({ currency: "EUR", amount: 3 }),
      { currency: "EUR" },
    ],
    [
      "settings",
      async () => () => florin.settings.setCardAuthorization({ model: "ServiceManaged" }),
      { model: "ServiceManaged" },
    ],
    [
      "a change of an endpoint",
      async () => {
        const { webhookEndpointId } = await endpoint();
        return () => florin.webhookEndpoints.change(webhookEndpointId, { status: "Disabled" });
      },
      { status: "Disabled" },
    ],
    [
      "a recovery of an endpoint",
      async () => {
        const { webhookEndpointId } = await endpoint();
        const since = new Date().toISOString();
        return () => florin.webhookEndpoints.recover(webhookEndpointId, { since });
      },
      { status: "Enabled" },
    ],
    [
      "an event that is sent again",
      async () => {
        const [event] = (await florin.events.list({ limit: 1 }).page()).data;
        return () => florin.events.resend(event?.eventId ?? "");
      },
      { eventId: expect.any(String) },
    ],
    [
      "a rehearsal",
      async () => () => florin.transactions.rehearse({ cardId: card.cardId, amount: 1 }),
      { approved: true },
    ],
    ["a list", async () => () => florin.cards.list({ limit: 1 }).page(), {}],
  ];

  test.each(calls)("%s", async (_name, prepare, shown) => {
    const call = await prepare();
    await cut();
    expect(await call()).toMatchObject(shown);
    expect(retries).toHaveLength(1);
    expect(retries[0]?.error).toBeInstanceOf(ConnectionError);
  });

  test("a download, before it has begun", async () => {
    await cut();
    const csv = await florin.transactions.exportCsv({ cardId: card.cardId }).text();
    expect(csv).toContain("InitialFunding");
    expect(retries).toHaveLength(1);
  });

  test("an endpoint, with a secret that works", async () => {
    const receiver = await Receiver.open();
    await cut();
    const { webhookEndpointId, secret } = await florin.webhookEndpoints.create({
      url: receiver.url,
    });
    await florin.webhookEndpoints.test(webhookEndpointId);
    const [message] = await receiver.until(1);
    const event = await verifyWebhook(message?.text ?? "", message?.headers ?? {}, secret);
    expect(event.eventType).toBe("webhook_endpoint.test");
    await florin.webhookEndpoints.delete(webhookEndpointId);
    await receiver.goDown();
  });
});

test("an endpoint whose creation is resumed has a new secret, and the first signs beside it", async () => {
  const receiver = await Receiver.open();
  const reference = newReference();
  const body = { url: receiver.url };
  const { webhookEndpointId, secret } = await florin.webhookEndpoints.create(body, { reference });
  const resumed = await florin.webhookEndpoints.create(body, { reference, resume: true });
  expect(resumed).toMatchObject({ webhookEndpointId, url: receiver.url });
  expect(resumed.secret).not.toBe(secret);
  await florin.webhookEndpoints.test(webhookEndpointId);
  const [message] = await receiver.until(1);
  for (const good of [secret, resumed.secret]) {
    const event = await verifyWebhook(message?.text ?? "", message?.headers ?? {}, good);
    expect(event.eventType).toBe("webhook_endpoint.test");
  }
  await florin.webhookEndpoints.delete(webhookEndpointId);
  await receiver.goDown();
});

test("an answer that exists only once is said to be lost, with what came of the call", async () => {
  await cut();
  const error = await florin.merchants
    .blacklist(card.cardId, { mid: "SHOP1" })
    .catch((caught) => caught);
  expect(error).toBeInstanceOf(LostAnswerError);
  expect(error).toMatchObject({
    finality: "TerminalSuccess",
    outcome: { state: "Succeeded", resourceId: card.cardId },
  });
  const { merchantBlacklist } = await florin.cards.get(card.cardId);
  expect(merchantBlacklist).toEqual(["SHOP1"]);
});

test("a refusal whose answer is lost is refused", async () => {
  await cut();
  await expect(florin.cards.withdraw(card.cardId, { amount: 100 })).rejects.toThrow(RefusedError);
  expect(retries).toHaveLength(1);
});

test("a register that is down is asked again under the same Reference", async () => {
  await florin.simulator.injectFault({ fault: "KycDown", count: 2 });
  await adaIn(florin);
  expect(retries).toMatchObject([
    { attempt: 1, error: { responseCode: "152", finality: "Indeterminate" } },
    { attempt: 2, error: { responseCode: "152" } },
  ]);
  expect(retries[1]?.reference).toBe(retries[0]?.reference);
});

describe("without retries", () => {
  const reference = () => newReference();
  const topUp = (options: object) => florin.cards.topUp(card.cardId, { amount: 5 }, options);

  test("the caller gets the Reference, finds the outcome, and can resume", async () => {
    await cut();
    const error = await topUp({ maxRetries: 0 }).catch((caught) => caught);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.finality).toBe("Indeterminate");
    const outcome = await florin.requests.get(error.reference);
    expect(outcome).toMatchObject({ state: "Succeeded", method: "POST" });
    const again = await topUp({ reference: error.reference, resume: true });
    expect(again).toMatchObject({ transactionId: outcome.resourceId, cardBalance: 105 });
    expect(await florin.cards.get(card.cardId)).toMatchObject({ balance: 105 });
  });

  test("a Reference that is used up is refused unless the call resumes", async () => {
    const options = { reference: reference() };
    await topUp(options);
    await expect(topUp(options)).rejects.toThrow(DuplicateRequestError);
    expect(await florin.cards.get(card.cardId)).toMatchObject({ balance: 105 });
  });

  test("another payload does not pass for the one that succeeded", async () => {
    const options = { reference: reference(), resume: true };
    const { transactionId } = await topUp(options);
    const error = await florin.cards
      .topUp(card.cardId, { amount: 6 }, options)
      .catch((caught) => caught);
    expect(error).toBeInstanceOf(DuplicateRequestError);
    expect(error.message).toBe("The Reference belongs to a request with another amount.");
    expect(error).toMatchObject({ responseCode: "139", outcome: { resourceId: transactionId } });
    expect(await topUp(options)).toMatchObject({ transactionId, amount: 5 });
  });

  test("a Reference of something else does not pass for this", async () => {
    const options = { reference: reference(), resume: true };
    await topUp(options);
    const error = await florin.cards.freeze(card.cardId, options).catch((caught) => caught);
    expect(error).toBeInstanceOf(DuplicateRequestError);
    expect(error.outcome).toMatchObject({ state: "Succeeded", method: "POST" });
    expect(await florin.cards.get(card.cardId)).toMatchObject({ status: "Active" });
  });
});
