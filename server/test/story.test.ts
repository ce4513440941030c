import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../src/foundation/config/config.ts";
import { auditCommand } from "../src/operator/audit.ts";
import { readJson, verdict } from "./harness/answers.ts";
import { type ApiAnswer, ApiClient, type CallOptions } from "./harness/api-client.ts";
import { ApiSchemas } from "./harness/api-schemas.ts";
import {
  business,
  bvn,
  KYC_TOKEN,
  lagos,
  verifyBusiness,
  verifyIndividual,
} from "./harness/kyc.ts";
import { type Payments, paymentsOf } from "./harness/payments.ts";
import { startTestService, type TestService } from "./harness/service.ts";

/*
 * What a business does with the service, from the first verification to the last cent, through its public
 * API and in order: every chapter begins where the one before it ended.
 */
let service: TestService;
let client: ApiClient;
let network: Payments;
beforeAll(async () => {
  service = await startTestService({ FLORIN_SANDBOX_KYC_DELAY_MS: "3600000" });
  const document = await readJson(`${service.sandbox.apiUrl}/openapi.json`);
  client = new CheckedClient(service, new ApiSchemas(document));
  network = paymentsOf(client);
  await network.leaveMidnight();
});
afterAll(() => service.stop());

/** Whatever the story is answered is as documented. */
class CheckedClient extends ApiClient {
  readonly #schemas: ApiSchemas;

  constructor({ sandbox }: TestService, schemas: ApiSchemas) {
    super(sandbox);
    this.#schemas = schemas;
  }

  override async call(method: string, path: string, options: CallOptions = {}): Promise<ApiAnswer> {
    const answer = await super.call(method, path, options);
    this.#schemas.expect(method, path, answer);
    return answer;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers are of every shape.
type Data = any;

async function dataOf(asked: Promise<ApiAnswer>): Promise<Data> {
  const answer = await asked;
  expect({ verdict: verdict(answer), body: answer.body }).toMatchObject({ verdict: "200/000" });
  return answer.body.data;
}

const get = (path: string): Promise<Data> => dataOf(client.get(path));
const post = (path: string, body: object = {}): Promise<Data> => dataOf(client.post(path, body));
const refusal = async (path: string, body: object = {}): Promise<string> =>
  verdict(await client.post(path, body));

/** Every page of a list, newest first. */
async function readAll(path: string): Promise<Data[]> {
  const all: Data[] = [];
  for (let cursor = ""; ; ) {
    const answer = await client.get(`${path}${path.includes("?") ? "&" : "?"}limit=7${cursor}`);
    all.push(...(await dataOf(Promise.resolve(answer))));
    const { nextCursor } = answer.body.pagination;
    if (nextCursor === null) return all;
    cursor = `&cursor=${nextCursor}`;
  }
}

const wallet = async (): Promise<Data> => (await get("/wallets"))[0];

/** What the story has spent from the wallet so far, and what came back. */
let walletBalance = 100_000;

async function expectWallet(change: number): Promise<void> {
  walletBalance = Math.round((walletBalance + change) * 100) / 100;
  const { balance, availableBalance } = await wallet();
  expect({ balance, availableBalance }).toEqual({
    balance: walletBalance,
    availableBalance: walletBalance,
  });
}

describe("Ada gets a card, and loses it", () => {
  let ada: string;
  let card: Data;
  let second: Data;
  let sister: Data;
  let lunch: string;

  test("Ada is verified by her BVN, and is a customer from then on", async () => {
    const verified = await dataOf(verifyIndividual(client, bvn({}, "ada")));
    expect(verified).toMatchObject({
      kycToken: expect.stringMatching(KYC_TOKEN),
      clientReference: "ada",
      status: "Approved",
    });
    ada = verified.customerId;
    expect(await get(`/kyc/${verified.kycToken}`)).toEqual(verified);
    expect(await get(`/customers/${ada}`)).toMatchObject({
      customerId: ada,
      type: "Individual",
      firstName: "Ada",
      lastName: "Obi",
      address: lagos,
      status: "Approved",
    });
    expect(await get("/customers?name=obi")).toHaveLength(1);
  });

  test("she gets a retail card with 50.00 from the wallet", async () => {
    card = await post("/cards/retail", {
      customerId: ada,
      initialBalance: 50,
      metadata: { team: "travel" },
    });
    expect(card).toMatchObject({
      customerId: ada,
      type: "Retail",
      status: "Active",
      currency: "USD",
      nameOnCard: "ADA OBI",
      balance: 50,
      availableBalance: 50,
      heldAmount: 0,
      billingAddress: lagos,
      sharedBalance: false,
      metadata: { team: "travel" },
    });
    await expectWallet(-50);
  });

  test("the card is read masked and whole, and the parts fit", async () => {
    expect(await get(`/cards/${card.cardId}`)).toEqual(card);
    const { pan, cvv, ...rest } = await get(`/cards/${card.cardId}/secure`);
    expect(rest).toEqual(card);
    expect(`${pan.slice(0, 6)}******${pan.slice(-4)}`).toBe(card.maskedPan);
    // Whoever shows the right CVV and expiry may buy; a wrong CVV is noticed.
    const shown = { expiryMonth: card.expiryMonth, expiryYear: card.expiryYear };
    const verification = await dataOf(network.buy(card.cardId, 0, { cvv, ...shown }));
    expect(verification).toMatchObject({ approved: true, heldAmount: 0 });
    const wrong = String((Number(cvv) + 1) % 1000).padStart(3, "0");
    const guess = await dataOf(network.buy(card.cardId, 0, { cvv: wrong, ...shown }));
    expect(guess).toMatchObject({ approved: false, responseCode: "188" });
  });

  test("it is topped up", async () => {
    const moved = await post(`/cards/${card.cardId}/top-up`, { amount: 30.5 });
    expect(moved).toMatchObject({ type: "TopUp", amount: 30.5, cardBalance: 80.5 });
    await expectWallet(-30.5);
    expect(moved.walletBalance).toBe(walletBalance);
  });

  test("its limits are changed, and hold", async () => {
    const limits = { cardLimits: { dailyLimit: 60, transactionLimit: 40 } };
    const changed = await dataOf(client.call("PATCH", `/cards/${card.cardId}`, { body: limits }));
    expect(changed).toMatchObject({ ...limits, metadata: { team: "travel" } });
    const tooMuch = await dataOf(network.buy(card.cardId, 40.01));
    expect(tooMuch).toMatchObject({ stage: "Declined", responseCode: "129", cardBalance: 80.5 });
  });

  test("while it is frozen nothing is bought, but it can be topped up", async () => {
    expect(await post(`/cards/${card.cardId}/freeze`)).toMatchObject({ status: "Frozen" });
    expect(await dataOf(network.buy(card.cardId, 10))).toMatchObject({ responseCode: "141" });
    expect(await refusal(`/cards/${card.cardId}/withdraw`, { amount: 1 })).toBe("422/117");
    await post(`/cards/${card.cardId}/top-up`, { amount: 9.5 });
    await expectWallet(-9.5);
    expect(await post(`/cards/${card.cardId}/unfreeze`)).toMatchObject({ status: "Active" });
  });

  test("she buys lunch: the money is held, then settled, then partly refunded", async () => {
    const bought = await dataOf(network.buy(card.cardId, 25));
    lunch = bought.transactionId;
    expect(bought).toMatchObject({ stage: "Authorization", approved: true, heldAmount: 25 });
    expect(await get(`/cards/${card.cardId}`)).toMatchObject({
      balance: 90,
      availableBalance: 65,
      heldAmount: 25,
    });
    const settled = await dataOf(network.settle(lunch));
    expect(settled).toMatchObject({ stage: "Settlement", settledAmount: 25, cardBalance: 65 });
    const refunded = await dataOf(network.refund(lunch, { amount: 5 }));
    expect(refunded).toMatchObject({ stage: "Refund", refundedAmount: 5, cardBalance: 70 });
    const { events } = await get(`/transactions/${lunch}`);
    expect(events.map((each: Data) => [each.requestType, each.amount])).toEqual([
      ["Authorization", 25],
      ["Settlement", 25],
      ["Refund", 5],
    ]);
    // Refunds give a day nothing back: 25 of its 60 are spent.
    expect(await dataOf(network.buy(card.cardId, 36))).toMatchObject({ responseCode: "129" });
    await expectWallet(0);
  });

  test("a second card shares the balance of the first", async () => {
    sister = await post("/cards/reissue", {
      customerId: ada,
      sharedBalance: true,
      cardId: card.cardId,
    });
    expect(sister).toMatchObject({ type: "Retail", balance: 70, sharedBalance: true });
    expect(sister.maskedPan).not.toBe(card.maskedPan);
    expect(await get(`/cards/${card.cardId}`)).toMatchObject({ sharedBalance: true });
    const { transactionId } = await dataOf(network.buy(sister.cardId, 10));
    expect(await get(`/cards/${card.cardId}`)).toMatchObject({ availableBalance: 60 });
    await dataOf(network.reverse(transactionId));
    expect(await get(`/cards/${card.cardId}`)).toMatchObject({ availableBalance: 70 });
  });

  test("money goes to another card of hers, and back to the wallet, which leaves 1.00", async () => {
    second = await post("/cards/reissue", { customerId: ada, sharedBalance: false });
    expect(second).toMatchObject({ balance: 0, sharedBalance: false, billingAddress: lagos });
    const moved = await post("/cards/transfers", {
      sourceCardId: sister.cardId,
      beneficiaryCardId: second.cardId,
      amount: 20,
    });
    expect(moved).toMatchObject({ type: "Transfer", cardId: sister.cardId, cardBalance: 50 });
    const [received] = await get(`/transactions?cardId=${second.cardId}`);
    expect(received).toMatchObject({ type: "Transfer", transferId: moved.transferId, amount: 20 });
    expect(await refusal(`/cards/${second.cardId}/withdraw`, { amount: 19.01 })).toBe("422/116");
    const withdrawn = await post(`/cards/${second.cardId}/withdraw`, { amount: 19 });
    expect(withdrawn).toMatchObject({ cardBalance: 1 });
    await expectWallet(19);
  });

  test("a merchant that did not ask takes more than there is", async () => {
    const posted = await dataOf(network.forcePost(card.cardId, 62.35));
    expect(posted).toMatchObject({ type: "Settlement", stage: "Settlement", cardBalance: -12.35 });
    expect(await get(`/cards/${sister.cardId}`)).toMatchObject({ balance: -12.35 });
  });

  test("while she owes, there is no new card for her", async () => {
    const own = { customerId: ada, sharedBalance: false };
    expect(await refusal("/cards/retail", { customerId: ada })).toBe("422/161");
    expect(await refusal("/cards/lite", { customerId: ada, balance: 5, swipeCount: 1 })).toBe(
      "422/161",
    );
    expect(await refusal("/cards/reissue", own)).toBe("422/161");
  });

  test("once all cards of the balance are terminated, the wallet settles what is owed", async () => {
    const regularize = `/cards/${card.cardId}/regularize`;
    expect(await refusal(regularize)).toBe("422/119");
    await post(`/cards/${card.cardId}/terminate`, { reason: "Lost" });
    expect(await refusal(regularize)).toBe("422/119");
    const closed = await post(`/cards/${sister.cardId}/terminate`);
    expect(closed).toMatchObject({ status: "Terminated", balance: -12.35 });
    expect(await refusal("/cards/retail", { customerId: ada })).toBe("422/161");
    const settled = await post(regularize);
    expect(settled).toMatchObject({ type: "Regularization", amount: 12.35, cardBalance: 0 });
    await expectWallet(-12.35);
    expect(await get(`/cards/${card.cardId}`)).toMatchObject({
      balance: 0,
      status: "Terminated",
      terminationReason: "Lost",
    });
  });

  test("what is left on her other card goes back with it, and a refund that comes late too", async () => {
    const closed = await post(`/cards/${second.cardId}/terminate`);
    expect(closed).toMatchObject({ status: "Terminated", balance: 0 });
    await expectWallet(1);
    const late = await dataOf(network.refund(lunch));
    expect(late).toMatchObject({ refundedAmount: 25, cardBalance: 0 });
    await expectWallet(20);
    expect(late.walletBalance).toBe(walletBalance);
  });

  test("and she can have a card again", async () => {
    const again = await post("/cards/retail", { customerId: ada });
    expect(again).toMatchObject({ status: "Active", balance: 0 });
    const cards = await readAll(`/cards?customerId=${ada}`);
    expect(cards.map(({ status }) => status)).toEqual([
      "Active",
      "Terminated",
      "Terminated",
      "Terminated",
    ]);
  });
});

describe("a business spends abroad", () => {
  let firm: string;
  let card: Data;

  test("it is verified, which takes its time", async () => {
    const begun = await dataOf(verifyBusiness(client, business({}, "firm")));
    expect(begun).not.toHaveProperty("customerId");
    expect(["Initiated", "Pending"]).toContain(begun.status);
    const decided = await post(`/simulator/kyc/${begun.kycToken}`, { status: "Approved" });
    firm = decided.customerId;
    expect(await get(`/customers/${firm}`)).toMatchObject({ type: "Business", status: "Approved" });
    const told = await readAll("/events?clientReference=firm");
    expect(told.map(({ eventType, data }) => [eventType, data.status]).reverse()).toEqual([
      ["kyc.initiated", "Initiated"],
      ["kyc.pending", "Pending"],
      ["kyc.approved", "Approved"],
    ]);
  });

  test("it gets a corporate card, and no other", async () => {
    expect(await refusal("/cards/retail", { customerId: firm })).toBe("422/115");
    card = await post("/cards/corporate", { customerId: firm, initialBalance: 100 });
    expect(card).toMatchObject({ type: "Corporate", nameOnCard: "OBI AND SONS LTD", balance: 100 });
    await expectWallet(-100);
  });

  test("what it costs abroad is collected, or owed until it can be", async () => {
    const paris = { merchant: { country: "FR", mid: "PARIS1" } };
    const first = await dataOf(network.buy(card.cardId, 50, paris));
    expect(await dataOf(network.settle(first.transactionId))).toMatchObject({ cardBalance: 49 });
    const second = await dataOf(network.buy(card.cardId, 49, paris));
    expect(await dataOf(network.settle(second.transactionId))).toMatchObject({ cardBalance: 0 });
    const charges = `/cards/${card.cardId}/cross-border-charges`;
    expect((await get(charges)).map((each: Data) => [each.amount, each.status])).toEqual([
      [0.98, "Pending"],
      [1, "Collected"],
    ]);
    expect(await post(`${charges}/reprocess`)).toMatchObject({ collected: [], cardBalance: 0 });
    await post(`/cards/${card.cardId}/top-up`, { amount: 2 });
    const { collected, pending, cardBalance } = await post(`${charges}/reprocess`);
    expect({ collected, pending, cardBalance }).toMatchObject({
      collected: [{ amount: 0.98, status: "Collected", transactionId: second.transactionId }],
      pending: [],
      cardBalance: 1.02,
    });
    await expectWallet(-2);
  });

  test("it is kept from a merchant, once excepted", async () => {
    const lists = `/cards/${card.cardId}/merchants`;
    const casino = { merchant: { mid: "CASINO1" } };
    expect(await post(`${lists}/blacklist`, { mid: "CASINO1" })).toEqual([
      { mid: "CASINO1", result: "Added", responseCode: "000" },
    ]);
    expect(await dataOf(network.buy(card.cardId, 0.01, casino))).toMatchObject({
      responseCode: "186",
    });
    await post(`${lists}/one-time-unblock`, { mid: "CASINO1" });
    const excepted = await dataOf(network.buy(card.cardId, 0.01, casino));
    expect(excepted).toMatchObject({ approved: true });
    await dataOf(network.reverse(excepted.transactionId));
    expect(await dataOf(network.buy(card.cardId, 0.01, casino))).toMatchObject({
      responseCode: "186",
    });
  });
});

describe("a lite card is used up", () => {
  let card: Data;

  test("it is issued with 10.00 and two swipes, and cannot be topped up", async () => {
    const [ada] = await get("/customers?clientReference=ada");
    card = await post("/cards/lite", { customerId: ada.customerId, balance: 10, swipeCount: 2 });
    expect(card).toMatchObject({ type: "Lite", balance: 10, swipeCount: 2, swipesUsed: 0 });
    await expectWallet(-10);
    expect(await refusal(`/cards/${card.cardId}/top-up`, { amount: 1 })).toBe("422/119");
    expect(await refusal(`/cards/${card.cardId}/withdraw`, { amount: 1 })).toBe("422/119");
  });

  test("its last swipe terminates it; what is left comes back when nothing is held", async () => {
    const first = await dataOf(network.buy(card.cardId, 3));
    expect(await get(`/cards/${card.cardId}`)).toMatchObject({ status: "Active", swipesUsed: 1 });
    const last = await dataOf(network.buy(card.cardId, 4));
    expect(await get(`/cards/${card.cardId}`)).toMatchObject({
      status: "Terminated",
      swipesUsed: 2,
      balance: 10,
      heldAmount: 7,
    });
    expect(await dataOf(network.buy(card.cardId, 1))).toMatchObject({ responseCode: "143" });
    await dataOf(network.reverse(first.transactionId));
    await expectWallet(0);
    await dataOf(network.settle(last.transactionId));
    await expectWallet(6);
    expect(await get(`/cards/${card.cardId}`)).toMatchObject({ balance: 0, swipesUsed: 2 });
  });
});

describe("afterwards", () => {
  test("the wallet's entries tell it all", async () => {
    const { walletId } = await wallet();
    const entries = (await readAll(`/wallets/${walletId}/entries`)).reverse();
    const told = entries.map(({ kind, direction, amount }) => [
      kind,
      direction === "Credit" ? amount : -amount,
    ]);
    expect(told).toEqual([
      ["Deposit", 100_000],
      ["InitialFunding", -50],
      ["TopUp", -30.5],
      ["TopUp", -9.5],
      ["Withdrawal", 19],
      ["Regularization", -12.35],
      ["TerminationPayout", 1],
      ["TerminationPayout", 20],
      ["InitialFunding", -100],
      ["TopUp", -2],
      ["InitialFunding", -10],
      ["TerminationPayout", 6],
    ]);
    expect(entries.at(-1).balanceAfter).toBe(walletBalance);
  });

  test("every card's events count from 1 without a gap, and no number is in them", async () => {
    const cards = await readAll("/cards");
    expect(cards).toHaveLength(6);
    for (const { cardId, maskedPan } of cards) {
      const events = (await readAll(`/events?cardId=${cardId}`)).reverse();
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, n) => n + 1));
      expect(events[0]).toMatchObject({ eventType: "card.issued", data: { cardId, maskedPan } });
      const { pan } = await get(`/cards/${cardId}/secure`);
      expect(JSON.stringify(events)).not.toContain(pan);
    }
  });

  test("the books hold", async () => {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const config = readConfig(service.environment);
    expect(await auditCommand.run({ config, args: [], print }), lines.join("\n")).toBe(0);
    expect(lines.join("\n")).toContain("The books hold");
  });
});
