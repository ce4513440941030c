import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiAnswer, newReference } from "./harness/api-client.ts";
import { type Bank, openBank } from "./harness/bank.ts";
import {
  available,
  CardModel,
  type ModelCard,
  type ModelPayment,
  type Purchase,
} from "./harness/card-model.ts";
import { runCommand } from "./harness/command.ts";
import { DAY_S, type Payments, paymentsOf } from "./harness/payments.ts";

let bank: Bank;
let payments: Payments;

beforeAll(async () => {
  bank = await openBank();
  payments = paymentsOf(bank.client);
});

afterAll(() => bank.stop());

/** Something that happens; cards and payments are named by their place, since ids are not known beforehand. */
type Step =
  | ({ kind: "buy"; card: number; cents: number } & Omit<Purchase, "amount">)
  | { kind: "settle"; payment: number; cents: number | undefined; isPartial: boolean }
  | { kind: "reverse" | "refund"; payment: number; cents: number | undefined }
  | { kind: "forcePost" | "refundUnlinked"; card: number; cents: number; isAbroad: boolean }
  | { kind: "topUp" | "withdraw"; card: number; cents: number }
  | { kind: "freeze" | "unfreeze" | "terminate" | "reprocess" | "regularize"; card: number }
  | { kind: "limit"; card: number; daily: number | undefined; once: number | undefined }
  | { kind: "control"; card: number; path: string; mid: string }
  | { kind: "repeat"; message: number }
  | { kind: "advance"; hours: number };

const CARDS = 5;
const card = fc.nat({ max: CARDS - 1 });
const payment = fc.nat({ max: 30 });
const cents = fc.oneof(fc.integer({ min: 1, max: 60_00 }), fc.constantFrom(10_00, 25_00, 50_00));
const someCents = fc.option(cents, { nil: undefined, freq: 2 });
const mid = fc.constantFrom("SHOP1", "SHOP2");
const isAbroad = fc.boolean();
const of = <K extends string>(...kinds: K[]) => fc.constantFrom(...kinds);

const purchase = fc.record({
  kind: of("buy"),
  card,
  cents: fc.oneof({ weight: 9, arbitrary: cents }, { weight: 1, arbitrary: fc.constant(0) }),
  requestType: of("Authorization", "Authorization", "PreAuthorization", "CashWithdrawal"),
  mid,
  isAbroad,
});

/** Times of the day stay far from midnight, so that a story may take a while. */
const hours = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(6, 18, 24, 24, 7 * 24 - 6, 7 * 24, 24 * 24) },
  { weight: 1, arbitrary: fc.integer({ min: 25, max: 400 }).map((days) => days * 24) },
);

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: purchase },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: of("settle"),
      payment,
      cents: someCents,
      isPartial: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: of("reverse", "refund"), payment, cents: someCents }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: of("forcePost", "refundUnlinked"), card, cents, isAbroad }),
  },
  { weight: 2, arbitrary: fc.record({ kind: of("topUp", "withdraw"), card, cents }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: of("freeze", "unfreeze", "unfreeze", "terminate", "reprocess", "regularize"),
      card,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: of("control"),
      card,
      path: of(
        "blacklist",
        "blacklist/remove",
        "whitelist",
        "whitelist/remove",
        "one-time-unblock",
      ),
      mid,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: of("limit"), card, daily: someCents, once: someCents }),
  },
  { weight: 2, arbitrary: fc.record({ kind: of("repeat"), message: fc.nat({ max: 30 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: of("advance"), hours }) },
);

const WALLET = 60_00;
const FIRST_HOUR = 3;

/** The model and the service, side by side. */
class Pair {
  readonly model = new CardModel({ wallet: WALLET, hour: FIRST_HOUR });
  readonly cards: { model: ModelCard; cardId: string }[] = [];
  readonly payments: { model: ModelPayment; transactionId: string }[] = [];
  /** What took effect, to be sent once more. */
  readonly messages: { model: ModelPayment; send: () => Promise<ApiAnswer> }[] = [];

  async open(): Promise<void> {
    // What earlier stories left open would come back to the wallet in the middle of this one.
    const { now } = (await payments.advance(31 * DAY_S)).body.data;
    const dayMs = DAY_S * 1_000;
    const firstMs = (Math.floor(Date.parse(now) / dayMs) + 1) * dayMs + FIRST_HOUR * 3_600_000;
    await payments.advance(Math.ceil((firstMs - Date.parse(now)) / 1_000));
    await this.#fillWallet();
    const open: Bank["open"] = (change) => bank.open({ expiryYear: 9999, ...change });
    const plain = await open({ balanceMinor: 100_00n, sharedBalance: true });
    const { accountId, customerId } = plain;
    const shared = await open({ accountId, customerId, sharedBalance: true });
    const limited = await open({
      balanceMinor: 200_00n,
      dailyLimitMinor: 80_00n,
      transactionLimitMinor: 50_00n,
    });
    const lite = await open({ type: "Lite", swipeCount: 4, balanceMinor: 120_00n });
    const poor = await open({ balanceMinor: 5_00n });
    const first = this.model.open(100_00);
    const all = [
      first,
      this.model.open(0, { account: first.account }),
      this.model.open(200_00, { dailyLimit: 80_00, transactionLimit: 50_00 }),
      this.model.open(120_00, { type: "Lite", swipes: 4 }),
      this.model.open(5_00),
    ];
    for (const [index, { cardId }] of [plain, shared, limited, lite, poor].entries()) {
      this.cards.push({ cardId, model: all[index] as ModelCard });
    }
  }

  /** So little that some of what a story asks for is too much. */
  async #fillWallet(): Promise<void> {
    const missing = (WALLET - (await this.#wallet())) / 100;
    if (missing > 0) {
      const deposit = { currency: "USD", amount: missing };
      await bank.client.post("/simulator/wallets/deposits", deposit);
    } else if (missing < 0) {
      const debit = ["wallet", "debit", bank.organizationId, "USD", (-missing).toFixed(2)];
      await runCommand(
        [...debit, "--reference", `story-${newReference()}`],
        bank.service.environment,
      );
    }
    expect(await this.#wallet()).toBe(WALLET);
  }

  async take(step: Step): Promise<void> {
    if ("payment" in step) return this.#follow(step);
    if (step.kind === "repeat") return this.#repeat(step.message);
    if (step.kind === "advance") {
      this.model.advance(step.hours);
      await payments.advance(step.hours * 3_600);
      return;
    }
    const { cardId, model } = this.cards[step.card] as Pair["cards"][number];
    const path = `/cards/${cardId}`;
    const post = (action: string, body: object = {}) => bank.client.post(`${path}/${action}`, body);
    switch (step.kind) {
      case "buy": {
        const { requestType, mid, isAbroad } = step;
        const expected = this.model.buy(model, { ...step, amount: step.cents });
        const merchant = { mid, country: isAbroad ? "FR" : "US" };
        const message = { requestType, merchant, networkReference: newReference() };
        const send = () => payments.buy(cardId, step.cents / 100, message);
        const answer = await this.#send(expected, send);
        expect(answer.body.data.responseCode).toBe(expected.code);
        return this.#begin(expected, answer);
      }
      case "forcePost": {
        const expected = this.model.forcePost(model, step.cents, step.isAbroad);
        const merchant = { country: step.isAbroad ? "FR" : "US" };
        const message = { merchant, networkReference: newReference() };
        const send = () => payments.forcePost(cardId, step.cents / 100, message);
        return this.#begin(expected, await this.#send(expected, send));
      }
      case "refundUnlinked": {
        const expected = this.model.refundUnlinked(model, step.cents);
        const message = { networkReference: newReference() };
        const send = () => payments.refundUnlinked(cardId, step.cents / 100, message);
        return expectPayment(await this.#send(expected, send), expected);
      }
      case "limit": {
        const cardLimits = {
          dailyLimit: inUnits(step.daily),
          transactionLimit: inUnits(step.once),
        };
        return expectCode(
          this.model.limit(model, step),
          await bank.client.call("PATCH", path, { body: { cardLimits } }),
        );
      }
      case "topUp":
        return expectCode(
          this.model.topUp(model, step.cents),
          await post("top-up", { amount: step.cents / 100 }),
        );
      case "withdraw":
        return expectCode(
          this.model.withdraw(model, step.cents),
          await post("withdraw", { amount: step.cents / 100 }),
        );
      case "freeze":
      case "unfreeze":
        return expectCode(this.model.freeze(model, step.kind === "freeze"), await post(step.kind));
      case "terminate":
        return expectCode(this.model.terminate(model), await post("terminate"));
      case "reprocess":
        return expectCode(
          this.model.reprocess(model),
          await post("cross-border-charges/reprocess"),
        );
      case "regularize":
        return expectCode(this.model.regularize(model), await post("regularize"));
      case "control": {
        const expected = this.model.control(model, step.path, step.mid);
        const { body } = await post(`merchants/${step.path}`, { mid: step.mid });
        expect(body.data?.[0].result ?? body.responseCode).toBe(expected);
      }
    }
  }

  async #follow(step: Extract<Step, { payment: number }>): Promise<void> {
    const chosen = this.payments[step.payment % Math.max(this.payments.length, 1)];
    if (chosen === undefined) return;
    const { model, transactionId } = chosen;
    const amount = inUnits(step.cents);
    const message = { ...(amount && { amount }), networkReference: newReference() };
    if (step.kind === "settle") {
      const expected = this.model.settle(model, step.cents, step.isPartial);
      const settlement = { ...message, partial: step.isPartial };
      const send = () => payments.settle(transactionId, settlement);
      return expectFollowed(await this.#send(expected, send), expected);
    }
    const expected = this.model[step.kind](model, step.cents);
    const send = () => payments[step.kind](transactionId, message);
    return expectFollowed(await this.#send(expected, send), expected);
  }

  async #send(expected: string | ModelPayment, send: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
    if (typeof expected !== "string") this.messages.push({ model: expected, send });
    return send();
  }

  /** The payment as it is by now is the answer, and nothing has changed. */
  async #repeat(message: number): Promise<void> {
    const chosen = this.messages[message % Math.max(this.messages.length, 1)];
    if (chosen !== undefined) expectPayment(await chosen.send(), chosen.model);
  }

  #begin(expected: ModelPayment, answer: ApiAnswer): void {
    expectPayment(answer, expected);
    this.payments.push({ model: expected, transactionId: answer.body.data.transactionId });
  }

  /** Everything that can be seen is as the model has it. */
  async compare(): Promise<void> {
    for (const { cardId, model } of this.cards) {
      const { data } = (await bank.client.get(`/cards/${cardId}`)).body;
      expect({
        status: data.status,
        balance: toCents(data.balance),
        held: toCents(data.heldAmount),
        available: toCents(data.availableBalance),
        ...(model.type === "Lite" ? { swipesUsed: data.swipesUsed } : {}),
        white: data.merchantWhitelist,
        black: data.merchantBlacklist,
      }).toEqual({
        status: model.status,
        balance: model.account.posted,
        held: model.account.held,
        available: available(model),
        ...(model.type === "Lite" ? { swipesUsed: model.swipesUsed } : {}),
        white: [...model.white].sort(),
        black: [...model.black].sort(),
      });
      const charges = await bank.client.get(`/cards/${cardId}/cross-border-charges?limit=100`);
      const owed = charges.body.data.filter(
        ({ status }: { status: string }) => status === "Pending",
      );
      expect(owed.map(({ amount }: { amount: number }) => toCents(amount)).reverse()).toEqual(
        model.owed.map(({ amount }) => amount),
      );
    }
    for (const { model, transactionId } of this.payments) {
      expectPayment(await bank.client.get(`/transactions/${transactionId}`), model);
    }
    expect(await this.#wallet()).toBe(this.model.wallet);
  }

  async #wallet(): Promise<number> {
    return Number(await bank.balanceOf(await bank.walletId()));
  }
}

const inUnits = (cents: number | undefined): number | undefined => cents && cents / 100;

const toCents = (amount: number): number => Math.round(amount * 100);

function expectCode(expected: string, { body }: ApiAnswer): void {
  expect(body.responseCode).toBe(expected);
}

function expectFollowed(answer: ApiAnswer, expected: string | ModelPayment): void {
  if (typeof expected === "string") expectCode(expected, answer);
  else expectPayment(answer, expected);
}

function expectPayment({ body }: ApiAnswer, payment: ModelPayment): void {
  const { data } = body;
  expect(body.responseCode, JSON.stringify(body)).toBe("000");
  expect({
    stage: data.stage,
    held: toCents(data.heldAmount),
    settled: toCents(data.settledAmount),
    reversed: toCents(data.reversedAmount),
    refunded: toCents(data.refundedAmount),
    over: data.overCaptured,
    ...("cardBalance" in data ? { balance: toCents(data.cardBalance) } : {}),
  }).toEqual({
    stage: payment.stage,
    held: payment.held,
    settled: payment.settled,
    reversed: payment.reversed,
    refunded: payment.refunded,
    over: payment.over,
    ...("cardBalance" in data ? { balance: payment.card.account.posted } : {}),
  });
}

/** Two cards of one balance owe a charge each, and there is money for the older one or for the younger one. */
const owedByBoth: Step[] = [
  { kind: "forcePost", card: 1, cents: 100_00, isAbroad: true },
  { kind: "forcePost", card: 0, cents: 50_00, isAbroad: true },
  { kind: "terminate", card: 1 },
  { kind: "topUp", card: 0, cents: 52_00 },
  { kind: "terminate", card: 0 },
];

/** A rest that nobody settled in time, and then somebody does. */
const settledLate: Step[] = [
  {
    kind: "buy",
    card: 0,
    cents: 50_00,
    requestType: "Authorization",
    mid: "SHOP1",
    isAbroad: false,
  },
  { kind: "settle", payment: 0, cents: 13_20, isPartial: true },
  { kind: "advance", hours: 7 * 24 },
  { kind: "settle", payment: 0, cents: undefined, isPartial: false },
  { kind: "settle", payment: 0, cents: undefined, isPartial: false },
];

test("whatever happens to cards, the service does what the contract says", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(steps, { minLength: 10, maxLength: 80, size: "max" }),
      async (story) => {
        const pair = new Pair();
        await pair.open();
        for (const step of story) await pair.take(step);
        await pair.compare();
        await bank.expectProof();
      },
    ),
    // A story that fails is told before the test's time is over, however much shorter it could become.
    {
      numRuns: 12,
      examples: [[owedByBoth], [settledLate]],
      interruptAfterTimeLimit: 240_000,
      markInterruptAsFailure: true,
    },
  );
}, 300_000);
