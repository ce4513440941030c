import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NegativeAccounts } from "../src/cards/closing/negative.ts";
import type { Core } from "../src/core.ts";
import { Engine } from "../src/engine/engine.ts";
import { newId } from "../src/foundation/ids.ts";
import { readProgrammes } from "../src/programmes/read.ts";
import { WalletIds } from "../src/wallets/service.ts";
import { expectRefusal, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { type Bank, openBank, tally } from "./harness/bank.ts";
import { openCard } from "./harness/cards.ts";
import { until } from "./harness/eventually.ts";
import { openOperator } from "./harness/operator.ts";

let bank: Bank;
beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.stop());

const regularize = (cardId: string, client = bank.client) =>
  client.call("POST", `/cards/${cardId}/regularize`);

const statusOf = async (cardId: string): Promise<string> => {
  const { rows } = await bank.pool.query(
    "select status, termination_reason as reason from cards where card_id = $1",
    [cardId],
  );
  return `${rows[0].status} ${rows[0].reason}`;
};

describe("regularizing", () => {
  test("takes what is owed from the wallet, and the balance ends at 0.00", async () => {
    const card = await bank.open({ status: "Terminated", balanceMinor: -12_34n });
    const before = await bank.balanceOf(await bank.walletId());
    const { status, body } = await regularize(card.cardId);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      cardId: card.cardId,
      type: "Regularization",
      stage: "Completed",
      amount: 12.34,
      cardBalance: 0,
      walletBalance: Number(before - 12_34n) / 100,
    });
    expect(await bank.balanceOf(card.accountId)).toBe(0n);
    expect(await bank.eventsOf(card.cardId)).toEqual([
      { eventType: "card.regularized", sequence: 1n, data: body.data },
    ]);
    await bank.expectProof();
  });

  test.each([
    ["an active card, which is topped up instead", { balanceMinor: -1_00n }],
    ["a frozen card", { status: "Frozen", balanceMinor: -1_00n }],
    ["a balance of zero", { status: "Terminated" }],
    ["a positive balance", { status: "Terminated", balanceMinor: 1_00n }],
  ] as const)("is not for %s", async (_what, change) => {
    const { cardId } = await bank.open(change);
    expectRefusal(await regularize(cardId), "422/119");
  });

  test("is not for an active card of a wallet that is short, either", async () => {
    const { client, organizationId } = await bank.foundAnother();
    await client.post("/simulator/wallets/deposits", { currency: "USD", amount: 0.99 });
    const { cardId } = await openCard(bank.pool, organizationId, { balanceMinor: -1_00n });
    expectRefusal(await regularize(cardId, client), "422/119");
  });

  test("waits for the last card of a shared balance", async () => {
    const card = await bank.open({ status: "Terminated", balanceMinor: -1_00n });
    const sister = await bank.open({ accountId: card.accountId, sharedBalance: true });
    expectRefusal(await regularize(card.cardId), "422/119");
    await bank.client.call("POST", `/cards/${sister.cardId}/terminate`);
    expect(verdict(await regularize(card.cardId))).toBe("200/000");
    expectRefusal(await regularize(sister.cardId), "422/119");
  });

  test("needs a wallet that can pay, to the cent", async () => {
    const { client, organizationId } = await bank.foundAnother();
    const deposit = (amount: number) =>
      client.post("/simulator/wallets/deposits", { currency: "USD", amount });
    await deposit(4.99);
    const kind = { status: "Terminated", balanceMinor: -5_00n } as const;
    const { cardId } = await openCard(bank.pool, organizationId, kind);
    expectRefusal(await regularize(cardId, client), "422/116");
    await deposit(0.01);
    const { body } = await regularize(cardId, client);
    expect(body.data).toMatchObject({ cardBalance: 0, walletBalance: 0 });
  });

  test("takes nothing that is held on the wallet", async () => {
    const { client, organizationId } = await bank.foundAnother();
    const deposit = { currency: "USD", amount: 5 };
    const { walletId } = (await client.post("/simulator/wallets/deposits", deposit)).body.data;
    const kind = { status: "Terminated", balanceMinor: -5_00n } as const;
    const card = await openCard(bank.pool, organizationId, kind);
    await bank.hold({ ...card, accountId: walletId }, 1n);
    expectRefusal(await regularize(card.cardId, client), "422/116");
  });

  test.each([
    ["card_x", "400/112"],
    [newId("card", 0), "404/148"],
  ])("%s is no card", async (cardId, expected) => {
    expectRefusal(await regularize(cardId), expected);
  });

  test("another organization's card is unknown", async () => {
    const { cardId } = await bank.open({ status: "Terminated", balanceMinor: -1_00n });
    const { client } = await bank.foundAnother();
    expectRefusal(await regularize(cardId, client), "404/148");
  });

  test("happens once, however often it is asked for", async () => {
    const { cardId, accountId } = await bank.open({ status: "Terminated", balanceMinor: -1_00n });
    const reference = newReference();
    const path = `/cards/${cardId}/regularize`;
    const answers = await Promise.all([
      ...Array.from({ length: 3 }, () => bank.client.call("POST", path, { reference })),
      ...Array.from({ length: 3 }, () => regularize(cardId)),
    ]);
    expect(tally(answers)["200/000"]).toBe(1);
    expect(await bank.balanceOf(accountId)).toBe(0n);
    await bank.expectProof();
  });
});

describe("what a programme may have done for it", () => {
  let operator: Core;
  let engine: Engine;
  beforeAll(async () => {
    operator = await openOperator(bank.service);
    const { databaseUrl, clock } = operator;
    engine = new Engine({
      connectionString: databaseUrl,
      name: "job",
      lanes: 1,
      durable: true,
      clock,
    });
  });
  afterAll(async () => {
    await engine.stop();
    await operator.close();
  });

  const programmeText = (options: object): string =>
    JSON.stringify([
      {
        programmeId: "usd-us",
        currency: "USD",
        country: "US",
        brand: "Visa",
        bin: "411111",
        ...options,
      },
    ]);

  const job = (options: object, stepAccounts?: number, of = WalletIds): NegativeAccounts => {
    const { pool, clock } = operator;
    const walletIds = new of(pool, clock);
    const programmes = readProgrammes(programmeText(options));
    return new NegativeAccounts({ pool, clock, engine, walletIds, programmes }, stepAccounts);
  };

  async function advanceDays(days: number): Promise<void> {
    const seconds = Math.round(days * 86_400);
    const answer = await bank.client.post("/simulator/clock/advance", { seconds });
    expect(verdict(answer)).toBe("200/000");
    bank.client.forgetToken();
    await operator.feed.refresh();
  }

  /** A card that a settlement has just taken below zero. */
  async function fallBelowZero(change: Parameters<Bank["open"]>[0] = {}) {
    const card = await bank.open({ balanceMinor: 1_00n, ...change });
    const { body } = await bank.client.post("/simulator/settlements", {
      cardId: card.cardId,
      amount: 4,
    });
    expect(body.data.cardBalance).toBe(-3);
    return card;
  }

  test("nothing, unless it says so", async () => {
    const living = await fallBelowZero();
    const closed = await bank.open({ status: "Terminated", balanceMinor: -1_00n });
    await advanceDays(100);
    await job({}).step();
    expect(await statusOf(living.cardId)).toBe("Active null");
    expect(await bank.balanceOf(closed.accountId)).toBe(-1_00n);
  });

  test("cards are terminated once their balance has been negative for so many days", async () => {
    const card = await fallBelowZero({ status: "Frozen" });
    const { accountId, customerId } = card;
    const sister = await bank.open({ accountId, customerId, sharedBalance: true });
    const fine = await bank.open({ balanceMinor: 5_00n });
    const patient = job({ terminateNegativeAfterDays: 3 });
    await advanceDays(2.9);
    await patient.step();
    expect(await statusOf(card.cardId)).toBe("Frozen null");
    await advanceDays(0.2);
    await patient.step();
    expect(await statusOf(card.cardId)).toBe("Terminated NegativeBalance");
    expect(await statusOf(sister.cardId)).toBe("Terminated NegativeBalance");
    expect(await statusOf(fine.cardId)).toBe("Active null");
    expect(await bank.balanceOf(card.accountId)).toBe(-3_00n);
    const events = await bank.eventsOf(sister.cardId);
    expect(events.map(({ eventType }) => eventType)).toEqual(["card.terminated"]);
    await bank.expectProof();
  });

  test("the days count from the last time it fell below zero", async () => {
    const card = await fallBelowZero();
    const patient = job({ terminateNegativeAfterDays: 3 });
    await advanceDays(2);
    await bank.client.post(`/cards/${card.cardId}/top-up`, { amount: 3 });
    await bank.client.post("/simulator/settlements", { cardId: card.cardId, amount: 2 });
    await advanceDays(2);
    await bank.client.post("/simulator/settlements", { cardId: card.cardId, amount: 1 });
    await patient.step();
    expect(await statusOf(card.cardId)).toBe("Active null");
    await advanceDays(1);
    await patient.step();
    expect(await statusOf(card.cardId)).toBe("Terminated NegativeBalance");
  });

  test("a closed balance is settled when the wallet can pay, and waits while it cannot", async () => {
    const { client, organizationId } = await bank.foundAnother();
    await client.post("/simulator/wallets/deposits", { currency: "USD", amount: 1 });
    const kind = { status: "Terminated", balanceMinor: -2_00n } as const;
    const { cardId, accountId } = await openCard(bank.pool, organizationId, kind);
    const generous = job({ autoRegularize: true });
    await generous.step();
    expect(await bank.balanceOf(accountId)).toBe(-2_00n);
    await client.post("/simulator/wallets/deposits", { currency: "USD", amount: 1 });
    await generous.step();
    expect(await bank.balanceOf(accountId)).toBe(0n);
    const events = await bank.eventsOf(cardId);
    expect(events.map(({ eventType }) => eventType)).toEqual(["card.regularized"]);
    await bank.expectProof();
  });

  test("all accounts have their turn, a few at a time, over and over", async () => {
    const { client, organizationId } = await bank.foundAnother();
    const deposit = { currency: "USD", amount: 1 };
    await client.post("/simulator/wallets/deposits", deposit);
    const kind = { status: "Terminated", balanceMinor: -2_00n } as const;
    const { accountId } = await openCard(bank.pool, organizationId, kind);
    const { rowCount } = await bank.pool.query("select from accounts");
    const generous = job({ autoRegularize: true }, 5);
    const round = async () => {
      for (let left = (rowCount ?? 0) + 5; left > 0; left -= 5) await generous.step();
    };
    await round();
    expect(await bank.balanceOf(accountId)).toBe(-2_00n);
    await client.post("/simulator/wallets/deposits", deposit);
    const early = await bank.open(kind);
    await round();
    expect(await bank.balanceOf(accountId)).toBe(0n);
    expect(await bank.balanceOf(early.accountId)).toBe(0n);
  });

  test("a card that lives is not terminated to settle its balance", async () => {
    const { cardId, accountId } = await fallBelowZero();
    await advanceDays(100);
    await job({ autoRegularize: true }).step();
    expect(await statusOf(cardId)).toBe("Active null");
    expect(await bank.balanceOf(accountId)).toBe(-3_00n);
  });

  test("a balance that changes meanwhile is judged again", async () => {
    const { cardId } = await fallBelowZero();
    await advanceDays(1.1);
    /** Asked for the wallet when the card is already to be terminated. */
    class LateTopUp extends WalletIds {
      override async ensure(...place: Parameters<WalletIds["ensure"]>): Promise<string> {
        await bank.client.post(`/cards/${cardId}/top-up`, { amount: 1 });
        return super.ensure(...place);
      }
    }
    await job({ terminateNegativeAfterDays: 1 }, undefined, LateTopUp).step();
    expect(await statusOf(cardId)).toBe("Active null");
  });

  test("both together, by several processes at once, each account once", async () => {
    const cards = [await fallBelowZero(), await fallBelowZero(), await fallBelowZero()];
    await advanceDays(1.1);
    const options = { terminateNegativeAfterDays: 1, autoRegularize: true };
    await Promise.all([job(options), job(options), job(options)].map((each) => each.step()));
    for (const { cardId, accountId } of cards) {
      expect(await statusOf(cardId)).toBe("Terminated NegativeBalance");
      expect(await bank.balanceOf(accountId)).toBe(0n);
      const types = (await bank.eventsOf(cardId)).map(({ eventType }) => eventType);
      expect(types.slice(-2)).toEqual(["card.terminated", "card.regularized"]);
    }
    await bank.expectProof();
  });

  test("a running service does it by itself when its clock passes the day", async () => {
    const file = join(bank.service.dataDir, "programmes.json");
    writeFileSync(file, programmeText({ terminateNegativeAfterDays: 1, autoRegularize: true }));
    const other = await openBank({ FLORIN_PROGRAMMES_FILE: file });
    try {
      const { cardId, accountId } = await other.open({ balanceMinor: 1_00n });
      await other.client.post("/simulator/settlements", { cardId, amount: 4 });
      await other.client.post("/simulator/clock/advance", { seconds: 90_000 });
      await until("it is settled", async () => (await other.balanceOf(accountId)) === 0n);
      await other.expectProof();
    } finally {
      await other.stop();
    }
  });
});
