import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { forgetGivenUp } from "../src/authorization/remote/advice-store.ts";
import { audit } from "../src/ledger/audit/audit.ts";
import { newReference } from "./harness/api-client.ts";
import { approve, saying, waiting } from "./harness/decider.ts";
import { until } from "./harness/eventually.ts";
import { type ManagedSandbox, startManagedSandbox } from "./harness/managed.ts";
import { DAY_S } from "./harness/payments.ts";

let it: ManagedSandbox;

beforeAll(async () => {
  it = await startManagedSandbox();
});
beforeEach(async () => {
  it.decider.answer = approve;
  it.decider.acknowledge = saying({});
  it.decider.calls.length = 0;
  await it.letDecide("AutoDecline");
});
afterEach(async () => {
  expect((await audit(it.pool)).problems).toEqual([]);
});
afterAll(() => it.stop());

const told = (transactionId: string, ...types: string[]): Promise<void> =>
  until(`it is told of ${types.join(", ")}`, () => {
    expect(it.decider.advicesOf(transactionId)).toEqual(types);
    return true;
  });

const pass = async (seconds: number): Promise<void> => {
  const { status } = await it.client.post("/simulator/clock/advance", { seconds });
  expect(status).toBe(200);
  it.client.forgetToken();
};

const waitingAdvices = async (): Promise<number> => {
  const { rows } = await it.pool.query(
    `select count(*)::int as n from authorization_advice_queues`,
  );
  return rows[0].n;
};

test("what becomes of a payment moves the wallet, and is told in order", async () => {
  const { cardId, customerId } = await it.openCard({ balanceMinor: 500n });
  const { balance } = await it.wallet();
  const { transactionId } = await it.buy(cardId, 50);
  const released = await it.follow(transactionId, "reverse", { amount: 10 });
  expect(released).toMatchObject({ heldAmount: 40, cardBalance: 5 });
  expect(released, "a release moves nothing").not.toHaveProperty("walletBalance");
  const settled = await it.follow(transactionId, "settle", { amount: 15, partial: true });
  expect(settled).toMatchObject({ settledAmount: 15, cardBalance: 5, walletBalance: balance - 15 });
  expect(await it.follow(transactionId, "reverse")).toMatchObject({ heldAmount: 0 });
  expect(await it.follow(transactionId, "refund", { amount: 5 })).toMatchObject({
    cardBalance: 5,
    walletBalance: balance - 10,
  });
  await told(transactionId, "PartialReversal", "Settlement", "Reversal", "Refund");
  const messages = it.decider.advices.map(({ message }) => message);
  expect(messages.map(({ amount, billingAmount }) => [amount, billingAmount])).toEqual([
    [10, 10],
    [15, 15],
    [25, 25],
    [5, 5],
  ]);
  expect(messages[1]).toEqual({
    ...it.decider.questions[0]?.message,
    requestType: "Settlement",
    requestId: expect.stringMatching(/^req_/),
    transactionId,
    cardId,
    customerId,
    amount: 15,
    billingAmount: 15,
    createdAt: settled.events.at(-1).at,
  });
  expect(new Set(it.decider.calls.map(({ message }) => message.requestId)).size).toBe(5);
  for (const { text, headers, message } of it.decider.advices) {
    const verifier = new Webhook(it.service.sandbox.webhookSecret);
    expect(verifier.verify(text, headers as Record<string, string>)).toEqual(message);
    expect(headers["webhook-id"]).toBe(message.requestId);
  }
  expect(await it.wallet()).toMatchObject({
    balance: balance - 10,
    availableBalance: balance - 10,
  });
  expect(await it.card(cardId)).toMatchObject({ balance: 5, availableBalance: 5, heldAmount: 0 });
  await until("nothing is left to tell", async () => (await waitingAdvices()) === 0);
});

test("amounts are told in the payment's currency and in the billing currency", async () => {
  const { cardId } = await it.openCard();
  const { transactionId, billingAmount } = await it.buy(cardId, 10, { currency: "EUR" });
  expect(it.decider.questions[0]?.message).toMatchObject({
    amount: 10,
    currency: "EUR",
    billingAmount,
    billingCurrency: "USD",
  });
  await it.follow(transactionId, "settle");
  await told(transactionId, "Settlement");
  expect(it.decider.advices[0]?.message).toMatchObject({
    amount: 10,
    currency: "EUR",
    billingAmount,
  });
});

test("a settlement abroad is charged to the wallet", async () => {
  const { cardId } = await it.openCard();
  const { balance } = await it.wallet();
  const { transactionId } = await it.buy(cardId, 50, { merchant: { country: "FR" } });
  expect(await it.follow(transactionId, "settle")).toMatchObject({ walletBalance: balance - 51 });
  const { body } = await it.client.get(`/cards/${cardId}/cross-border-charges`);
  expect(body.data).toMatchObject([{ status: "Collected", amount: 1 }]);
});

test("the wallet goes on paying when the service decides again, and the client goes on hearing", async () => {
  const { cardId } = await it.openCard({ balanceMinor: 9_000n });
  const { balance } = await it.wallet();
  const { transactionId } = await it.buy(cardId, 50);
  await it.choose({ model: "ServiceManaged" });
  expect(await it.follow(transactionId, "settle")).toMatchObject({
    cardBalance: 90,
    walletBalance: balance - 50,
  });
  expect(await it.follow(transactionId, "refund", { amount: 20 })).toMatchObject({
    cardBalance: 90,
    walletBalance: balance - 30,
  });
  await told(transactionId, "Settlement", "Refund");
});

test("what a card paid for itself stays its own when the client decides", async () => {
  await it.choose({ model: "ServiceManaged" });
  const { cardId } = await it.openCard({ balanceMinor: 9_000n });
  const { transactionId } = await it.buy(cardId, 50);
  await it.letDecide("AutoDecline");
  const before = await it.wallet();
  expect(await it.follow(transactionId, "settle")).toMatchObject({ cardBalance: 40 });
  expect(await it.follow(transactionId, "refund")).toMatchObject({ cardBalance: 90 });
  expect(await it.wallet()).toEqual(before);
  expect(await waitingAdvices()).toBe(0);
  expect(it.decider.advices).toEqual([]);
});

test("a message that repeats tells of the wallet as the first did", async () => {
  const { cardId } = await it.openCard({ balanceMinor: 500n });
  const { transactionId } = await it.buy(cardId, 50);
  const settle = () => it.follow(transactionId, "settle", { networkReference: "settle-twice" });
  const first = await settle();
  expect(first).toMatchObject({ walletBalance: expect.any(Number) });
  expect(await settle()).toEqual(first);
  for (const path of ["settlements", "refunds"]) {
    const body = { cardId, amount: 1, networkReference: `${path}-twice` };
    const post = async () => (await it.client.post(`/simulator/${path}`, body)).body.data;
    const posted = await post();
    expect(posted).toMatchObject({ walletBalance: expect.any(Number) });
    expect(await post()).toEqual(posted);
  }
});

test("what came without an authorization is the wallet's too, below zero if need be", async () => {
  const { cardId } = await it.openCard({ balanceMinor: 500n });
  const { balance } = await it.wallet();
  const forced = await it.client.post("/simulator/settlements", { cardId, amount: balance + 10 });
  expect(forced.body.data).toMatchObject({ cardBalance: 5, walletBalance: -10 });
  const refunded = await it.client.post("/simulator/refunds", { cardId, amount: balance + 10 });
  expect(refunded.body.data).toMatchObject({ cardBalance: 5, walletBalance: balance });
  expect(await it.eventsOf(cardId)).toMatchObject([
    { type: "transaction.settled", data: { cardBalance: 5, walletBalance: -10 } },
    { type: "transaction.refunded", data: { cardBalance: 5, walletBalance: balance } },
  ]);
  await told(forced.body.data.transactionId, "Settlement");
  await told(refunded.body.data.transactionId, "Refund");
});

test("a settlement takes the wallet below zero, and nothing more is asked about", async () => {
  const { cardId } = await it.openCard();
  const { availableBalance } = await it.wallet();
  const { transactionId } = await it.buy(cardId, availableBalance);
  const settled = await it.follow(transactionId, "settle", { amount: availableBalance + 5 });
  expect(settled).toMatchObject({ overCaptured: expect.any(Boolean), walletBalance: -5 });
  expect(await it.buy(cardId, 1)).toMatchObject({ responseCode: "116" });
  expect(it.decider.questions).toHaveLength(1);
  await it.client.post("/simulator/refunds", { cardId, amount: availableBalance + 5 });
});

test("what expires is given back to the wallet, and is no advice", async () => {
  const { cardId } = await it.openCard();
  const before = await it.wallet();
  const { transactionId } = await it.buy(cardId, 50);
  await pass(7 * DAY_S);
  const { body } = await it.client.get(`/transactions/${transactionId}`);
  expect(body.data).toMatchObject({ stage: "Expired", heldAmount: 0 });
  expect(await it.wallet()).toEqual(before);
  expect(await waitingAdvices()).toBe(0);
  expect(it.decider.calls).toHaveLength(1);
});

test("a message that repeats is told once, and one that is refused is not told", async () => {
  const { cardId } = await it.openCard();
  const { transactionId } = await it.buy(cardId, 5);
  const networkReference = newReference();
  await it.follow(transactionId, "settle", { networkReference });
  await it.follow(transactionId, "settle", { networkReference });
  expect(await it.follow(transactionId, "refund", { amount: 6 })).toMatchObject({
    responseCode: "235",
  });
  await it.follow(transactionId, "refund", { amount: 5 });
  await told(transactionId, "Settlement", "Refund");
});

test("no answer can stop what has happened; it is told again, in order, until it arrives", async () => {
  const { cardId } = await it.openCard();
  const other = await it.openCard();
  const { transactionId } = await it.buy(cardId, 5);
  const elsewhere = await it.buy(other.cardId, 5);
  it.decider.acknowledge = (call, response) => {
    const isRefused = call.message.cardId === cardId;
    saying({ decision: "Decline" }, isRefused ? 500 : 200)(call, response);
  };
  expect(await it.follow(transactionId, "settle")).toMatchObject({ stage: "Settlement" });
  await told(transactionId, "Settlement");
  expect(await it.follow(transactionId, "refund")).toMatchObject({ stage: "Refund" });
  await it.follow(elsewhere.transactionId, "settle");
  // Another card does not wait for this one.
  await told(elsewhere.transactionId, "Settlement");
  await pass(5);
  await told(transactionId, "Settlement", "Settlement");
  it.decider.acknowledge = saying({});
  await pass(30);
  await told(transactionId, "Settlement", "Settlement", "Settlement", "Refund");
  const ids = it.decider.advices
    .filter(({ message }) => message.transactionId === transactionId)
    .map(({ message }) => message.requestId);
  expect(new Set(ids).size).toBe(2);
  expect(new Set(ids.slice(0, 3)).size).toBe(1);
});

test("what cannot be told for five days is given up, and the next is told", async () => {
  it.decider.acknowledge = saying({}, 404);
  const { cardId } = await it.openCard();
  const { transactionId } = await it.buy(cardId, 5);
  await it.follow(transactionId, "settle");
  await told(transactionId, "Settlement");
  await pass(5 * 86_400);
  await it.follow(transactionId, "refund");
  await until("the next is tried", () => it.decider.advicesOf(transactionId).includes("Refund"));
  it.decider.acknowledge = saying({});
  await pass(5);
  await until("nothing is left to tell", async () => (await waitingAdvices()) === 0);
  const { rows } = await it.pool.query(
    `select message ->> 'requestType' as type, given_up_at as at from authorization_advices
      where given_up_at is not null`,
  );
  expect(rows).toEqual([{ type: "Settlement", at: expect.any(Date) }]);
  const isKept = async (days: number) => {
    await forgetGivenUp(it.pool, new Date(rows[0].at.getTime() + days * 86_400_000));
    return (await it.pool.query("select from authorization_advices")).rowCount === 1;
  };
  expect(await isKept(29)).toBe(true);
  expect(await isKept(31)).toBe(false);
});

test("a client that is slow with one card's advices hears of another card's", async () => {
  const { answering, go } = waiting(saying({}));
  const { cardId } = await it.openCard();
  const other = await it.openCard();
  it.decider.acknowledge = (call, response) => {
    const isSlow = call.message.cardId === cardId;
    (isSlow ? answering : saying({}))(call, response);
  };
  const slow = await it.buy(cardId, 5);
  const quick = await it.buy(other.cardId, 5);
  await it.follow(slow.transactionId, "settle");
  await it.follow(slow.transactionId, "refund");
  await it.follow(quick.transactionId, "settle");
  await told(quick.transactionId, "Settlement");
  expect(it.decider.advicesOf(slow.transactionId)).not.toContain("Refund");
  go();
  await told(slow.transactionId, "Settlement", "Refund");
});

test("many advices of one card come in the order of what happened", async () => {
  const { cardId } = await it.openCard();
  const { transactionId } = await it.buy(cardId, 20);
  await it.follow(transactionId, "settle");
  const refunds = Array.from({ length: 10 }, () =>
    it.follow(transactionId, "refund", { amount: 1 }),
  );
  await Promise.all(refunds);
  await until("all are told", () => it.decider.advicesOf(transactionId).length >= 11);
  const { rows } = await it.pool.query(
    `select event_type as type, data -> 'refundedAmount' as refunded from events
      where card_id = $1 and event_type like 'transaction.%' order by sequence`,
    [cardId],
  );
  expect(rows.slice(2).map(({ refunded }) => refunded)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const order = it.decider.advices.map(({ message }) => message.createdAt);
  expect(order).toEqual(order.toSorted());
});

test("a question that was left behind is taken back", async () => {
  const { cardId, accountId } = await it.openCard();
  const reversal = {
    requestType: "Reversal",
    requestId: "req_left",
    transactionId: "txn_left",
    cardId,
  };
  await it.pool.query(
    `insert into authorization_questions (organization_id, request_id, account_id, card_id, reversal, asked_at)
     values ($1, 'req_asked', $2, $3, $4, now() - interval '31 seconds')`,
    [it.organizationId, accountId, cardId, JSON.stringify(reversal)],
  );
  await told("txn_left", "Reversal");
  const { rows } = await it.pool.query("select from authorization_questions");
  expect(rows).toEqual([]);
});

test("however many questions were left behind, they are taken back in one go", async () => {
  const { cardId, accountId } = await it.openCard();
  // Far more than are looked at together, which would take a look each, every five seconds.
  await it.pool.query(
    `insert into authorization_questions (organization_id, request_id, account_id, card_id, reversal, asked_at)
     select $1, 'req_asked_' || n, $2, $3, json_build_object('requestType', 'Reversal',
              'requestId', 'req_left_' || n, 'transactionId', 'txn_left_' || n, 'cardId', $3::text),
            now() - interval '31 seconds'
       from generate_series(1, 1000) n`,
    [it.organizationId, accountId, cardId],
  );
  await until("all are taken back", async () => {
    const { rows } = await it.pool.query("select from authorization_questions limit 1");
    return rows.length === 0;
  });
});
