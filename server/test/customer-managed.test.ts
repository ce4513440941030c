import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { changeOrganization } from "../src/identity/organizations.ts";
import { audit } from "../src/ledger/audit/audit.ts";
import { newReference } from "./harness/api-client.ts";
import { oweCharge } from "./harness/burdens.ts";
import { openCard } from "./harness/cards.ts";
import { approve, declineIt, saying, waiting } from "./harness/decider.ts";
import { until } from "./harness/eventually.ts";
import { type ManagedSandbox, startManagedSandbox } from "./harness/managed.ts";
import { foundOrganization, openOperator } from "./harness/operator.ts";

let it: ManagedSandbox;

beforeAll(async () => {
  it = await startManagedSandbox();
});
beforeEach(async () => {
  it.decider.answer = approve;
  it.decider.calls.length = 0;
  await it.letDecide("AutoDecline");
});
afterEach(async () => {
  expect((await audit(it.pool)).problems).toEqual([]);
});
afterAll(() => it.stop());

const openQuestions = async (): Promise<number> => {
  const { rows } = await it.pool.query("select count(*)::int as n from authorization_questions");
  return rows[0].n;
};

test("the client approves: the wallet holds the amount, and the card's balance stays", async () => {
  const { cardId, customerId } = await it.openCard({ balanceMinor: 500n });
  const before = await it.wallet();
  const merchant = { mid: "SHOP1", mcc: "5411", name: "Shop", city: "Lagos", country: "NG" };
  const bought = await it.buy(cardId, 20, { merchant, entryMode: "Chip" });
  expect(bought).toMatchObject({
    stage: "Authorization",
    approved: true,
    responseCode: "000",
    heldAmount: 20,
    cardBalance: 5,
    decision: {
      model: "CustomerManaged",
      remote: { durationMs: expect.any(Number), timedOut: false, defaultUsed: false },
    },
  });
  expect(Object.keys(bought.decision.remote).toSorted()).toEqual([
    "defaultUsed",
    "durationMs",
    "timedOut",
  ]);
  expect(await it.wallet()).toMatchObject({
    balance: before.balance,
    availableBalance: before.availableBalance - 20,
  });
  expect(await it.card(cardId)).toMatchObject({ balance: 5, availableBalance: 5, heldAmount: 0 });
  expect(it.decider.questions.map(({ message }) => message)).toEqual([
    {
      requestType: "Authorization",
      requestId: expect.stringMatching(/^req_/),
      transactionId: bought.transactionId,
      cardId,
      customerId,
      amount: 20,
      currency: "USD",
      billingAmount: 20,
      billingCurrency: "USD",
      merchant,
      entryMode: "Chip",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    },
  ]);
  expect(await openQuestions()).toBe(0);
});

test.each(["PreAuthorization", "CashWithdrawal"])(
  "%s is asked about as such",
  async (requestType) => {
    const { cardId } = await it.openCard();
    expect(await it.buy(cardId, 1, { requestType })).toMatchObject({
      type: requestType,
      approved: true,
    });
    expect(it.decider.questions[0]?.message).toMatchObject({ requestType });
  },
);

test("a question is signed with the organization's secret, as webhooks are", async () => {
  const { cardId } = await it.openCard();
  await it.buy(cardId, 1);
  const [question] = it.decider.questions;
  if (question === undefined) throw new Error("Nobody was asked.");
  const { headers, text, message } = question;
  const verified = new Webhook(it.service.sandbox.webhookSecret).verify(
    text,
    headers as Record<string, string>,
  );
  expect(verified).toEqual(message);
  expect(headers["webhook-id"]).toBe(message.requestId);
  const another = new Webhook(`whsec_${Buffer.alloc(24, 7).toString("base64")}`);
  expect(() => another.verify(text, headers as Record<string, string>)).toThrow();
});

test.each<[string, unknown, string]>([
  ["without a reason", { decision: "Decline" }, "176"],
  ["for fraud", { decision: "Decline", responseCode: "301" }, "301"],
  ["with success, which it is not", { decision: "Decline", responseCode: "000" }, "176"],
  ["with what nobody knows", { decision: "Decline", responseCode: "172" }, "176"],
  ["with a code that there is not", { decision: "Decline", responseCode: "777" }, "176"],
])("the client declines %s", async (_how, answer, responseCode) => {
  it.decider.answer = saying(answer);
  const { cardId } = await it.openCard({ balanceMinor: 5_000n });
  const before = await it.wallet();
  const bought = await it.buy(cardId, 20);
  expect(bought).toMatchObject({
    stage: "Declined",
    approved: false,
    responseCode,
    heldAmount: 0,
    decision: { model: "CustomerManaged", remote: { timedOut: false, defaultUsed: false } },
  });
  expect(await it.wallet()).toEqual(before);
  expect(await openQuestions()).toBe(0);
  expect(it.decider.advices).toEqual([]);
});

test("what the client wants noted is kept with the decision", async () => {
  it.decider.answer = saying({ decision: "Approve", metadata: { rule: "r1" }, more: true });
  const { cardId } = await it.openCard();
  expect((await it.buy(cardId, 1)).decision.remote).toMatchObject({ metadata: { rule: "r1" } });
});

test.each<[string, Parameters<ManagedSandbox["openCard"]>[0], object, string]>([
  ["a frozen card", { status: "Frozen" }, {}, "141"],
  ["a terminated card", { status: "Terminated" }, {}, "143"],
  ["a wrong expiry", {}, { expiryMonth: 1, expiryYear: 2031 }, "124"],
  ["contactless that is not allowed", {}, { entryMode: "Contactless" }, "119"],
  ["a blocked kind of merchant", { blackListedMccs: ["5999"] }, {}, "127"],
  ["a currency without a rate", {}, { currency: "XOF" }, "121"],
  ["more than the card may at once", { transactionLimitMinor: 1_999n }, {}, "129"],
  ["more than the card may in a day", { dailyLimitMinor: 1_999n }, {}, "129"],
])("%s is declined without asking", async (_what, card, more, responseCode) => {
  const { cardId } = await it.openCard(card);
  const bought = await it.buy(cardId, 20, more);
  expect(bought).toMatchObject({
    stage: "Declined",
    responseCode,
    decision: { model: "CustomerManaged" },
  });
  expect(bought.decision.remote).toBeUndefined();
  expect(it.decider.calls).toEqual([]);
});

test("a wallet that is short declines without asking, whatever is on the card", async () => {
  const { availableBalance } = await it.wallet();
  const { cardId } = await it.openCard({ balanceMinor: 99_999_999n });
  const bought = await it.buy(cardId, availableBalance + 0.01);
  expect(bought).toMatchObject({ stage: "Declined", responseCode: "116" });
  expect(it.decider.calls).toEqual([]);
});

test("the day's limit counts what the wallet paid for", async () => {
  const { cardId } = await it.openCard({ dailyLimitMinor: 3_000n });
  expect(await it.buy(cardId, 20)).toMatchObject({ approved: true });
  expect(await it.buy(cardId, 20)).toMatchObject({ responseCode: "129" });
  const { transactionId } = await it.buy(cardId, 10);
  await it.follow(transactionId, "reverse");
  expect(await it.buy(cardId, 10)).toMatchObject({ approved: true });
});

test("a lite card ends with its last swipe, and what is on it goes back at once", async () => {
  const { cardId } = await it.openCard({ type: "Lite", swipeCount: 2, balanceMinor: 700n });
  const before = await it.wallet();
  expect(await it.buy(cardId, 1)).toMatchObject({ approved: true, cardBalance: 7 });
  expect(await it.buy(cardId, 1)).toMatchObject({ approved: true, cardBalance: 0 });
  expect(await it.card(cardId)).toMatchObject({ status: "Terminated", swipesUsed: 2, balance: 0 });
  expect(await it.wallet()).toMatchObject({
    balance: before.balance + 7,
    availableBalance: before.availableBalance + 5,
  });
  expect(await it.buy(cardId, 1)).toMatchObject({ responseCode: "143" });
});

test("a lite card that ends has the wallet pay the charges that the wallet owes for it", async () => {
  const card = await it.openCard({ type: "Lite", swipeCount: 1, balanceMinor: 700n });
  const before = await it.wallet();
  const charge = await oweCharge(it.pool, card, 2_00n, { accountId: before.walletId });
  expect(await it.buy(card.cardId, 1)).toMatchObject({
    approved: true,
    cardBalance: 0,
    walletBalance: before.balance - 2 + 7,
  });
  const { body } = await it.client.get(`/cards/${card.cardId}/cross-border-charges`);
  expect(body.data).toMatchObject([{ chargeId: charge.chargeId, status: "Collected" }]);
  expect(await it.wallet()).toMatchObject({
    balance: before.balance - 2 + 7,
    availableBalance: before.availableBalance - 2 - 1 + 7,
  });
  const told = (await it.eventsOf(card.cardId)).at(-1);
  expect(told).toMatchObject({
    type: "card.terminated",
    data: { payout: { walletBalance: before.balance - 2 + 7 } },
  });
});

test("a lite card that ends tells what the wallet has where it moved, and only there", async () => {
  const empty = await it.openCard({ type: "Lite", swipeCount: 1 });
  expect(await it.buy(empty.cardId, 1)).not.toHaveProperty("walletBalance");
  const owing = await it.openCard({ type: "Lite", swipeCount: 1 });
  const { walletId, balance } = await it.wallet();
  await oweCharge(it.pool, owing, 2_00n, { accountId: walletId });
  expect(await it.buy(owing.cardId, 1)).toMatchObject({ walletBalance: balance - 2 });
});

test("an amount of 0 is asked about, and holds nothing", async () => {
  const { cardId } = await it.openCard();
  const before = await it.wallet();
  expect(await it.buy(cardId, 0)).toMatchObject({ approved: true, heldAmount: 0 });
  expect(it.decider.questions).toHaveLength(1);
  expect(await it.wallet()).toEqual(before);
});

test("a message that repeats is answered as before, and asked about once", async () => {
  const { cardId } = await it.openCard();
  const networkReference = newReference();
  const bought = await it.buy(cardId, 20, { networkReference });
  it.decider.answer = declineIt;
  const again = await it.buy(cardId, 20, { networkReference });
  expect(again.transactionId).toBe(bought.transactionId);
  expect(again.approved).toBe(true);
  expect(it.decider.questions).toHaveLength(1);
});

test("messages that repeat at the same time are asked about once, and hold once", async () => {
  const { cardId } = await it.openCard();
  const before = await it.wallet();
  const networkReference = newReference();
  const all = await Promise.all(
    Array.from({ length: 10 }, () => it.buy(cardId, 20, { networkReference })),
  );
  expect(new Set(all.map(({ transactionId }) => transactionId)).size).toBe(1);
  expect(it.decider.questions).toHaveLength(1);
  expect((await it.wallet()).availableBalance).toBe(before.availableBalance - 20);
});

test("a Reference that was used up asks nobody", async () => {
  const { cardId } = await it.openCard();
  const reference = newReference();
  const body = { cardId, amount: 1 };
  const buy = () => it.client.post("/simulator/authorizations", body, { reference });
  expect((await buy()).status).toBe(200);
  expect((await buy()).body.responseCode).toBe("139");
  expect(it.decider.questions).toHaveLength(1);
  const { body: request } = await it.client.get(`/requests/${reference}`);
  expect(request.data).toMatchObject({
    state: "Succeeded",
    resourceId: expect.stringMatching(/^txn_/),
  });
});

test("while the client is waited for nothing is locked: the card and its wallet can be used", async () => {
  const { answering, go, asked } = waiting(approve);
  it.decider.answer = answering;
  const { cardId } = await it.openCard();
  const buying = it.buy(cardId, 20);
  await asked;
  // Would fail at once if anybody had them.
  await it.pool.query(
    `select from accounts where organization_id = $1 order by account_id for update nowait`,
    [it.organizationId],
  );
  expect((await it.client.post(`/cards/${cardId}/top-up`, { amount: 3 })).status).toBe(200);
  go();
  expect(await buying).toMatchObject({ stage: expect.any(String) });
});

test("a card that is frozen meanwhile is not charged, and the approval is taken back", async () => {
  const { answering, go, asked } = waiting(approve);
  it.decider.answer = answering;
  const { cardId } = await it.openCard();
  const before = await it.wallet();
  const buying = it.buy(cardId, 20);
  await asked;
  expect((await it.client.post(`/cards/${cardId}/freeze`, {})).status).toBe(200);
  go();
  const bought = await buying;
  expect(bought).toMatchObject({ stage: "Declined", responseCode: "141" });
  await until("it is taken back", () => it.decider.advicesOf(bought.transactionId).length > 0);
  expect(it.decider.advicesOf(bought.transactionId)).toEqual(["Reversal"]);
  expect(it.decider.advices[0]?.message).toMatchObject({ cardId, amount: 20, billingAmount: 20 });
  expect(await it.wallet()).toEqual(before);
  expect(await openQuestions()).toBe(0);
});

test("what was given up for dead meanwhile is not approved any more", async () => {
  const { answering, go, asked } = waiting(approve);
  it.decider.answer = answering;
  const { cardId } = await it.openCard();
  const before = await it.wallet();
  const buying = it.buy(cardId, 20);
  await asked;
  // As another process does after half a minute, when it also tells the client.
  await it.pool.query("delete from authorization_questions");
  go();
  expect(await buying).toMatchObject({ stage: "Declined", responseCode: "176" });
  expect(await it.wallet()).toEqual(before);
});

test("two that are asked about at once cannot together pass the day's limit", async () => {
  const { answering, go, asked } = waiting(approve);
  it.decider.answer = answering;
  const { cardId } = await it.openCard({ dailyLimitMinor: 3_000n });
  const buying = Promise.all([it.buy(cardId, 20), it.buy(cardId, 20)]);
  await asked;
  await until("both are asked about", () => it.decider.questions.length === 2);
  go();
  const both = await buying;
  expect(both.map(({ responseCode }) => responseCode).toSorted()).toEqual(["000", "129"]);
  const declined = both.find(({ approved }) => !approved);
  await until("one is taken back", () => it.decider.advices.length > 0);
  expect(it.decider.advicesOf(declined.transactionId)).toEqual(["Reversal"]);
});

test("a dry run asks nobody and changes nothing", async () => {
  const { cardId } = await it.openCard();
  const before = await it.wallet();
  const { body } = await it.client.post("/authorizations/dry-run", { cardId, amount: 20 });
  expect(body.data).toMatchObject({ approved: true, decision: { model: "CustomerManaged" } });
  expect(it.decider.calls).toEqual([]);
  expect(await it.wallet()).toEqual(before);
  expect(await openQuestions()).toBe(0);
});

test("another organization is none of the decider's business", async () => {
  const operator = await openOperator(it.service);
  try {
    const { client, organizationId } = await foundOrganization(operator, it.service);
    await client.post("/simulator/wallets/deposits", { currency: "USD", amount: 100 });
    const { cardId } = await openCard(it.pool, organizationId, { balanceMinor: 5_000n });
    const { body } = await client.post("/simulator/authorizations", { cardId, amount: 20 });
    expect(body.data).toMatchObject({ approved: true, decision: { model: "ServiceManaged" } });
    const { body: card } = await client.get(`/cards/${cardId}`);
    expect(card.data).toMatchObject({ balance: 50, heldAmount: 20 });
    expect(it.decider.calls).toEqual([]);
  } finally {
    await operator.close();
  }
});

test("when the operator takes it away, the service decides", async () => {
  const operator = await openOperator(it.service);
  const { organizationId } = it;
  try {
    const { cardId } = await it.openCard({ balanceMinor: 5_000n });
    await changeOrganization(operator, organizationId, { customerManaged: false });
    await until("the service decides", async () => {
      const { decision } = await it.buy(cardId, 1);
      return decision.model === "ServiceManaged";
    });
    expect((await it.card(cardId)).heldAmount).toBe(1);
    await changeOrganization(operator, organizationId, { customerManaged: true });
    await until("the client decides", async () => {
      const { decision } = await it.buy(cardId, 1);
      return decision.model === "CustomerManaged";
    });
  } finally {
    await operator.close();
  }
});

test("when the service decides again, the card pays and nobody is asked", async () => {
  const { cardId } = await it.openCard({ balanceMinor: 5_000n });
  await it.choose({ model: "ServiceManaged" });
  expect(await it.buy(cardId, 20)).toMatchObject({ decision: { model: "ServiceManaged" } });
  expect(await it.card(cardId)).toMatchObject({ heldAmount: 20 });
  expect(it.decider.calls).toEqual([]);
});

test("a hundred at once are all asked about and held together", async () => {
  const cards = await Promise.all(Array.from({ length: 5 }, () => it.openCard()));
  const before = await it.wallet();
  const all = await Promise.all(
    Array.from({ length: 100 }, (_, n) => it.buy(cards[n % 5]?.cardId ?? "", 1)),
  );
  const approved = all.filter((one) => one.approved).length;
  const late = all.filter((one) => one.decision.remote?.timedOut).length;
  // A busy machine may be too slow for some; what is held is what was approved all the same.
  expect(approved + late).toBe(100);
  expect((await it.wallet()).availableBalance).toBe(before.availableBalance - approved);
});

test("what is approved while the clock jumps over the whole time of its hold expires all the same", async () => {
  await it.letDecide("AutoApprove");
  const { cardId } = await it.openCard();
  const { answering, go, asked } = waiting(approve);
  it.decider.answer = answering;
  const buying = it.buy(cardId, 20);
  await asked;
  const advance = async (seconds: number): Promise<void> => {
    expect((await it.client.post("/simulator/clock/advance", { seconds })).status).toBe(200);
    it.client.forgetToken();
  };
  await advance(4 * 86_400);
  await advance(4 * 86_400);
  go();
  const { transactionId } = await buying;
  await advance(1);
  const { body } = await it.client.get(`/transactions/${transactionId}`);
  expect(body.data).toMatchObject({ approved: true, stage: "Expired", heldAmount: 0 });
});
