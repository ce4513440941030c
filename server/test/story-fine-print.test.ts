import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { terminationOf } from "../src/cards/closing/service.ts";
import { terminate } from "../src/cards/closing/terminate.ts";
import { readConfig } from "../src/foundation/config/config.ts";
import { readJson, verdict } from "./harness/answers.ts";
import { type ApiAnswer, newReference } from "./harness/api-client.ts";
import { type Bank, openBank } from "./harness/bank.ts";
import { holdMoney } from "./harness/burdens.ts";
import { openCard } from "./harness/cards.ts";
import { openCustomer } from "./harness/customers.ts";
import { openIssuer, tickingClock } from "./harness/issuer.ts";
import { passport } from "./harness/kyc.ts";
import { type Payments, paymentsOf } from "./harness/payments.ts";

/* Lines of the contract that belong to no single feature, or that none of them would miss. */
let bank: Bank;
let network: Payments;
let ada: string;
beforeAll(async () => {
  bank = await openBank({ FLORIN_SANDBOX_KYC_DELAY_MS: "3600000" });
  network = paymentsOf(bank.client);
  ada = await openCustomer(bank.pool, bank.organizationId);
});
afterAll(() => bank.stop());

/** As the contract lists them; those with a question mark only where they mean something. */
const CARD =
  "cardId customerId type status currency brand maskedPan expiryMonth expiryYear nameOnCard balance " +
  "availableBalance heldAmount contactlessPayment cardLimits whiteListedMccs blackListedMccs " +
  "merchantWhitelist merchantBlacklist billingAddress sharedBalance metadata createdAt";
const TRANSACTION =
  "transactionId cardId customerId type stage approved responseCode responseMessage amount currency " +
  "billingAmount billingCurrency heldAmount settledAmount reversedAmount refundedAmount overCaptured " +
  "merchant entryMode approvalCode networkReference events createdAt updatedAt";

type Call = (options: { reference: string }) => Promise<ApiAnswer>;

/** What every operation on cards answers, with what it needs before it. */
const operations: [name: string, prepare: () => Promise<Call>, expected: string][] = [
  ["issue", async () => (o) => post("/cards/retail", { customerId: ada }, o), CARD],
  [
    "issue a lite card",
    async () => (o) => post("/cards/lite", { customerId: ada, balance: 5, swipeCount: 2 }, o),
    `${CARD} swipeCount swipesUsed`,
  ],
  [
    "re-issue, sharing",
    async () => {
      const { cardId, customerId } = await bank.open();
      return (o) => post("/cards/reissue", { customerId, sharedBalance: true, cardId }, o);
    },
    CARD,
  ],
  ["freeze", onCard({}, "freeze"), CARD],
  ["unfreeze", onCard({ status: "Frozen" }, "unfreeze"), CARD],
  ["terminate", onCard({}, "terminate"), `${CARD} terminationReason terminatedAt`],
  [
    "change",
    async () => {
      const { cardId } = await bank.open();
      const body = { cardLimits: { dailyLimit: 5 } };
      return (o) => bank.client.call("PATCH", `/cards/${cardId}`, { ...o, body });
    },
    CARD,
  ],
  ["top up", onCard({}, "top-up", { amount: 1 }), `${TRANSACTION} cardBalance walletBalance`],
  [
    "withdraw",
    onCard({ balanceMinor: 5_00n }, "withdraw", { amount: 1 }),
    `${TRANSACTION} cardBalance walletBalance`,
  ],
  [
    "transfer",
    async () => {
      const [from, to] = [await bank.open({ balanceMinor: 5_00n }), await bank.open()];
      const cards = { sourceCardId: from.cardId, beneficiaryCardId: to.cardId };
      return (o) => post("/cards/transfers", { ...cards, amount: 1 }, o);
    },
    `${TRANSACTION} transferId sourceCardId beneficiaryCardId cardBalance`,
  ],
  [
    "regularize",
    onCard({ balanceMinor: -5_00n, status: "Terminated" }, "regularize"),
    `${TRANSACTION} cardBalance walletBalance`,
  ],
  [
    "buy",
    async () => {
      const { cardId } = await bank.open({ balanceMinor: 5_00n });
      return (o) => post("/simulator/authorizations", { cardId, amount: 1 }, o);
    },
    `${TRANSACTION} cardBalance decision`,
  ],
  ["settle", onPurchase("settle"), `${TRANSACTION} cardBalance`],
  ["reverse", onPurchase("reverse"), `${TRANSACTION} cardBalance`],
  [
    "refund what is on a closed balance",
    async () => {
      const { cardId } = await bank.open({ balanceMinor: 5_00n });
      const { transactionId } = (await network.buy(cardId, 5)).body.data;
      await network.settle(transactionId);
      await post(`/cards/${cardId}/terminate`, {}, { reference: newReference() });
      return (o) => network.refund(transactionId, {}, o);
    },
    `${TRANSACTION} cardBalance walletBalance`,
  ],
];

function post(path: string, body: object, options: { reference: string }): Promise<ApiAnswer> {
  return bank.client.post(path, body, options);
}

function onCard(change: Parameters<Bank["open"]>[0], action: string, body = {}) {
  return async (): Promise<Call> => {
    const { cardId } = await bank.open(change);
    return (o) => post(`/cards/${cardId}/${action}`, body, o);
  };
}

function onPurchase(action: "settle" | "reverse") {
  return async (): Promise<Call> => {
    const { cardId } = await bank.open({ balanceMinor: 5_00n });
    const { transactionId } = (await network.buy(cardId, 1)).body.data;
    return (o) => network[action](transactionId, {}, o);
  };
}

describe("whatever is done with a card", () => {
  test.each(operations)(
    "%s: is answered with what the contract lists, no more and no less",
    async (_name, prepare, expected) => {
      const call = await prepare();
      const { body } = await call({ reference: newReference() });
      expect(Object.keys(body.data).sort()).toEqual(expected.split(" ").sort());
    },
  );

  test.each(operations)(
    "%s: can be looked up by its Reference, with what it made or changed",
    async (_name, prepare) => {
      const call = await prepare();
      const reference = newReference();
      const { data } = (await call({ reference })).body;
      const outcome = (await bank.client.get(`/requests/${reference}`)).body.data;
      expect(outcome).toMatchObject({
        state: "Succeeded",
        httpStatus: 200,
        responseCode: "000",
        resourceId: data.transactionId ?? data.cardId,
      });
    },
  );
});

test("the programme's maximum is for top-ups: a card can be issued with more", async () => {
  const { body } = await bank.client.post("/cards/retail", {
    customerId: ada,
    initialBalance: 10_000.01,
  });
  expect(body.data).toMatchObject({ balance: 10_000.01 });
});

describe("what a wallet holds for purchases", () => {
  test("cannot be spent on cards", async () => {
    const { client, organizationId } = await bank.foundAnother();
    const deposited = { currency: "USD", amount: 10 };
    const { walletId } = (await client.post("/simulator/wallets/deposits", deposited)).body.data;
    const card = await openCard(bank.pool, organizationId);
    const owing = { balanceMinor: -4_01n, status: "Terminated" } as const;
    const closed = await openCard(bank.pool, organizationId, owing);
    await holdMoney(bank.pool, { ...card, accountId: walletId }, 6_00n);
    const someone = await openCustomer(bank.pool, organizationId);
    const lite = { customerId: someone, balance: 4.01, swipeCount: 1 };
    const own = { customerId: someone, sharedBalance: false };
    const refused = [
      await client.post(`/cards/${card.cardId}/top-up`, { amount: 4.01 }),
      await client.post("/cards/retail", { customerId: someone, initialBalance: 4.01 }),
      await client.post("/cards/lite", lite),
      await client.post("/cards/reissue", { ...own, initialBalance: 4.01 }),
      await client.post(`/cards/${closed.cardId}/regularize`, {}),
    ];
    expect(refused.map(verdict)).toEqual(refused.map(() => "422/116"));
    expect(verdict(await client.post(`/cards/${card.cardId}/top-up`, { amount: 4 }))).toBe(
      "200/000",
    );
    expect((await client.get("/wallets")).body.data).toEqual([
      { walletId, currency: "USD", balance: 6, availableBalance: 0 },
    ]);
  });
});

test("the balances that moving money answers include what is held", async () => {
  const { client, organizationId } = await bank.foundAnother();
  const deposited = { currency: "USD", amount: 100 };
  const { walletId } = (await client.post("/simulator/wallets/deposits", deposited)).body.data;
  const card = await openCard(bank.pool, organizationId, { balanceMinor: 20_00n });
  const other = await openCard(bank.pool, organizationId, { balanceMinor: 5_00n });
  const owing = { balanceMinor: -1_00n, status: "Terminated" } as const;
  const closed = await openCard(bank.pool, organizationId, owing);
  await holdMoney(bank.pool, card, 4_00n);
  await holdMoney(bank.pool, other, 1_00n);
  await holdMoney(bank.pool, { ...card, accountId: walletId }, 6_00n);

  const [sourceCardId, beneficiaryCardId] = [card.cardId, other.cardId];
  const answers = [
    await client.post(`/cards/${sourceCardId}/top-up`, { amount: 10 }),
    await client.post(`/cards/${sourceCardId}/withdraw`, { amount: 5 }),
    await client.post("/cards/transfers", { sourceCardId, beneficiaryCardId, amount: 3 }),
    await client.post(`/cards/${closed.cardId}/regularize`, {}),
  ];
  expect(answers.map(({ body }) => [body.data.cardBalance, body.data.walletBalance])).toEqual([
    [30, 90],
    [25, 95],
    [22, undefined],
    [0, 94],
  ]);
  expect(await bank.eventsOf(beneficiaryCardId)).toMatchObject([{ data: { cardBalance: 8 } }]);
});

test("a used-up Reference opens no wallet for the card that it does not get", async () => {
  const { client, organizationId } = await bank.foundAnother();
  const customerId = await openCustomer(bank.pool, organizationId);
  const reference = newReference();
  await client.get("/wallets", { reference });
  const issued = await client.post("/cards/retail", { customerId }, { reference });
  expect(verdict(issued)).toBe("400/139");
  expect((await client.get("/wallets")).body.data).toEqual([]);
});

describe("a pending charge is retried by nothing but reprocessing and termination:", () => {
  const owing = async () => {
    const card = await bank.open();
    const abroad = { merchant: { country: "FR" } };
    await network.forcePost(card.cardId, 50, abroad);
    expect((await charges(card.cardId)).map(({ status }) => status)).toEqual(["Pending"]);
    return card;
  };
  const charges = async (cardId: string): Promise<{ status: string }[]> =>
    (await bank.client.get(`/cards/${cardId}/cross-border-charges`)).body.data;

  test("money in, money out, purchases and changes leave it alone", async () => {
    const { cardId } = await owing();
    const rich = await bank.open({ balanceMinor: 100_00n });
    await bank.client.post(`/cards/${cardId}/top-up`, { amount: 100 });
    const transfer = { sourceCardId: rich.cardId, beneficiaryCardId: cardId, amount: 10 };
    await bank.client.post("/cards/transfers", transfer);
    await network.refundUnlinked(cardId, 5);
    const bought = (await network.buy(cardId, 3)).body.data.transactionId;
    await network.settle(bought);
    await network.refund(bought);
    await bank.client.post(`/cards/${cardId}/withdraw`, { amount: 1 });
    await bank.client.post(`/cards/${cardId}/freeze`, {});
    await bank.client.post(`/cards/${cardId}/unfreeze`, {});
    expect((await bank.client.get(`/cards/${cardId}`)).body.data.balance).toBe(64);
    expect((await charges(cardId)).map(({ status }) => status)).toEqual(["Pending"]);
  });

  test("another charge is collected without it", async () => {
    const { cardId } = await owing();
    await bank.client.post(`/cards/${cardId}/top-up`, { amount: 100 });
    await network.forcePost(cardId, 10, { merchant: { country: "FR" } });
    expect((await charges(cardId)).map(({ status }) => status)).toEqual(["Collected", "Pending"]);
  });
});

describe("a termination", () => {
  test("for a balance that has changed meanwhile does not happen", async () => {
    const issuer = await openIssuer(bank.service.databaseUrl, tickingClock());
    try {
      const card = await bank.open({ balanceMinor: -4_00n });
      const { organizationId } = bank;
      const judged = await terminationOf(issuer, organizationId, card, "NegativeBalance");
      const before = { ...judged, onlyAtMinor: -5_00n };
      await expect(issuer.engine.run(terminate, organizationId, before)).rejects.toMatchObject({
        codeName: "TRANSACTION_NOT_PERMITTED",
      });
      expect((await bank.client.get(`/cards/${card.cardId}`)).body.data.status).toBe("Active");
      const now = { ...judged, onlyAtMinor: -4_00n };
      const closed = await issuer.engine.run(terminate, organizationId, now);
      expect(closed?.status).toBe("Terminated");
    } finally {
      await issuer.stop();
    }
  });
});

describe("what a sandbox says of verifications", () => {
  test("without being told otherwise, documents are decided after 5 seconds", () => {
    expect(readConfig({}).sandboxKycDelayMs).toBe(5_000);
  });

  test("the reasons of rejections are a closed list, and documented", async () => {
    const document = await readJson(`${bank.service.sandbox.apiUrl}/openapi.json`);
    const { rejectType, rejectLabels } = document.components.schemas.KycVerification.properties;
    expect(rejectType.enum).toEqual(["FINAL", "RETRY"]);
    const listed: string[] = rejectLabels.items.enum;
    expect(listed).toEqual(
      expect.arrayContaining([
        "NAME_MISMATCH",
        "DOB_MISMATCH",
        "NOT_FOUND",
        "FORGERY",
        "EXPIRED_DOCUMENT",
        "UNREADABLE",
        "SANCTIONS",
        "OTHER",
      ]),
    );
    const { kycToken } = (await bank.client.post("/kyc/individual", passport())).body.data;
    const decide = (labels: string[]) =>
      bank.client.post(`/simulator/kyc/${kycToken}`, { status: "Rejected", rejectLabels: labels });
    expect(verdict(await decide(["BECAUSE"]))).toBe("400/131");
    expect((await decide(listed)).body.data.rejectLabels).toEqual(listed);
  });
});
