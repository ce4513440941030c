import { describe, expect, test } from "vitest";
import type { AcquirerConnection } from "../src/network/acquirer/connection.ts";
import type { Terminal } from "../src/network/acquirer/terminal.ts";
import { gatewayService } from "./harness/gateway-service.ts";
import { availableIn, heard, type NetworkSandbox } from "./harness/network.ts";

let network: NetworkSandbox;
let acquirer: AcquirerConnection;
let terminal: Terminal;
gatewayService((open) => {
  ({ network, acquirer, terminal } = open);
});

describe("0120", () => {
  test("an advice holds as far as the money goes and is never refused", async () => {
    const card = await network.issue(30);
    await network.client.post(`/cards/${card.cardId}/freeze`, {});
    const first = terminal.purchase(card, 2_000n, {
      mti: "0120",
      fields: { 38: "STAND1", 39: "00" },
    });
    const answer = await acquirer.ask(first);
    expect(answer).toMatchObject({ mti: "0130", fields: { 38: "STAND1", 39: "00" } });
    expect(availableIn(answer)).toBe(1_000n);
    expect(heard(await acquirer.ask(terminal.purchase(card, 2_000n, { mti: "0120" })))).toBe("00");
    expect(heard(await acquirer.ask(terminal.purchase(card, 2_000n, { mti: "0120" })))).toBe("00");
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { approved: true, amount: 20, heldAmount: 0 },
      { approved: true, amount: 20, heldAmount: 10 },
      { approved: true, amount: 20, heldAmount: 20, approvalCode: "STAND1" },
      {},
    ]);
    const [{ transactionId }] = await network.transactionsOf(card.cardId);
    const { decision } = await network.get(`/transactions/${transactionId}`);
    expect(decision.trace).toContainEqual(
      expect.objectContaining({ check: "status", result: "Fail", responseCode: "141" }),
    );
    expect(await network.get(`/cards/${card.cardId}`)).toMatchObject({
      balance: 30,
      heldAmount: 30,
      availableBalance: 0,
    });
  });

  test("where the card owes already it holds nothing, and takes nothing away from what is held", async () => {
    const card = await network.issue(5);
    const settled = terminal.purchase(card, 100n);
    await acquirer.ask(settled);
    await acquirer.ask(terminal.completion(settled, 2_500n, "USD"));
    expect(await network.balanceOf(card)).toEqual([-20, 0]);
    expect(heard(await acquirer.ask(terminal.purchase(card, 1_000n, { mti: "0120" })))).toBe("00");
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { stage: "Authorization", approved: true, amount: 10, heldAmount: 0 },
      {},
      {},
    ]);
    expect(await network.balanceOf(card)).toEqual([-20, 0]);
  });

  test("what it could not hold is not spent of the day's limit", async () => {
    const card = await network.issue(10);
    const body = { cardLimits: { dailyLimit: 30 } };
    await network.client.call("PATCH", `/cards/${card.cardId}`, { body });
    expect(heard(await acquirer.ask(terminal.purchase(card, 2_000n, { mti: "0120" })))).toBe("00");
    await network.client.post(`/cards/${card.cardId}/top-up`, { amount: 50 });
    expect(heard(await acquirer.ask(terminal.purchase(card, 2_001n)))).toBe("61");
    expect(heard(await acquirer.ask(terminal.purchase(card, 2_000n)))).toBe("00");
  });

  test("an approval code that is shorter is padded on the wire only", async () => {
    const card = await network.issue(5);
    const advice = terminal.purchase(card, 100n, { mti: "0120", fields: { 38: "OK1   " } });
    expect((await acquirer.ask(advice)).fields[38]).toBe("OK1   ");
    expect(await network.transactionsOf(card.cardId)).toMatchObject([{ approvalCode: "OK1" }, {}]);
  });

  test("what it could not hold is settled all the same, also in another currency", async () => {
    const card = await network.issue(5);
    const advice = terminal.purchase(card, 1_000n, { mti: "0120", currency: "EUR" });
    expect(heard(await acquirer.ask(advice))).toBe("00");
    expect(heard(await acquirer.ask(terminal.completion(advice, 1_000n, "EUR")))).toBe("00");
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { stage: "Settlement", settledAmount: 10.8, heldAmount: 0, overCaptured: false },
      {},
    ]);
    expect(await network.get(`/cards/${card.cardId}`)).toMatchObject({
      balance: -5.8,
      heldAmount: 0,
    });
  });

  test("settled without an amount it is settled whole, as its events tell", async () => {
    for (const [currency, settledAmount] of [["EUR", 10.8] as const, ["USD", 10] as const]) {
      const card = await network.issue(5);
      await acquirer.ask(terminal.purchase(card, 1_000n, { mti: "0120", currency }));
      const [{ transactionId }] = await network.transactionsOf(card.cardId);
      const settle = `/simulator/transactions/${transactionId}/settle`;
      expect((await network.client.post(settle, {})).status).toBe(200);
      expect(await network.get(`/transactions/${transactionId}`)).toMatchObject({
        settledAmount,
        heldAmount: 0,
        overCaptured: false,
        events: [{ requestType: "Authorization" }, { requestType: "Settlement", amount: 10 }],
      });
    }
  });

  test("DE 95 leaves it held as far as it was, and its reversal takes back all of it", async () => {
    const heldOf = async (...remaining: bigint[]) => {
      const card = await network.issue(10);
      const advice = terminal.purchase(card, 2_000n, { mti: "0120" });
      await acquirer.ask(advice);
      for (const remainingMinor of remaining) {
        const reversal = terminal.reversal(advice, { remainingMinor });
        expect(heard(await acquirer.ask(reversal))).toBe("00");
      }
      const [transaction] = await network.transactionsOf(card.cardId);
      expect(await network.balanceOf(card)).toEqual([10, transaction.heldAmount]);
      return { card, advice, transaction };
    };
    expect((await heldOf(500n)).transaction).toMatchObject({ heldAmount: 5, reversedAmount: 15 });
    const { card, advice, transaction } = await heldOf(1_500n);
    expect(transaction).toMatchObject({ heldAmount: 10, reversedAmount: 5 });
    expect(heard(await acquirer.ask(terminal.reversal(advice)))).toBe("00");
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { stage: "Reversal", heldAmount: 0, reversedAmount: 20 },
      {},
    ]);
    expect(heard(await acquirer.ask(terminal.completion(advice, 1_000n, "USD")))).toBe("00");
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { stage: "Settlement", settledAmount: 10, overCaptured: true },
      {},
    ]);
  });

  test("where only what it held was recorded as reversed, as once, the books hold; a purchase's would not", async () => {
    const card = await network.issue(5);
    const reversedInPart = async (mti: "0100" | "0120", amountMinor: bigint): Promise<string[]> => {
      const purchase = terminal.purchase(card, amountMinor, { mti });
      expect(heard(await acquirer.ask(purchase))).toBe("00");
      expect(heard(await acquirer.ask(terminal.reversal(purchase)))).toBe("00");
      const [{ transactionId }] = await network.transactionsOf(card.cardId);
      const record = "update transactions set reversed_minor = $2 where transaction_id = $1";
      await network.pool.query(record, [transactionId, amountMinor / 2n]);
      const problems = await network.problems();
      await network.pool.query(record, [transactionId, amountMinor]);
      return problems;
    };
    expect(await reversedInPart("0120", 1_000n)).toEqual([]);
    expect(await reversedInPart("0100", 400n)).toEqual([
      expect.stringMatching(/ is at stage Reversal, but 0 is held, 0 settled, 200 reversed/),
    ]);
  });

  test("what the network declined itself, or has no rate, is acknowledged and holds nothing", async () => {
    const card = await network.issue(10);
    const declined = { mti: "0120", fields: { 39: "51" } } as const;
    expect(heard(await acquirer.ask(terminal.purchase(card, 100n, declined)))).toBe("00");
    expect(await network.transactionsOf(card.cardId)).toMatchObject([{ type: "InitialFunding" }]);
    const foreign = { mti: "0120", fields: { 49: "392" } } as const;
    expect(heard(await acquirer.ask(terminal.purchase(card, 100n, foreign)))).toBe("00");
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { approved: false, responseCode: "121", heldAmount: 0 },
      {},
    ]);
  });

  test("where an operator has withdrawn the card's programme it holds as long as usual, in the card's currency", async () => {
    const card = await network.issue(30);
    await network.pool.query("update cards set programme_id = 'usd-gone' where card_id = $1", [
      card.cardId,
    ]);
    const advice = terminal.purchase(card, 2_000n, { mti: "0120" });
    expect(availableIn(await acquirer.ask(advice))).toBe(1_000n);
    const foreign = terminal.purchase(card, 500n, { mti: "0120", currency: "EUR" });
    expect(heard(await acquirer.ask(foreign))).toBe("00");
    expect(heard(await acquirer.ask(terminal.purchase(card, 100n)))).toBe("57");
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { approved: false, responseCode: "121" },
      { approved: true, heldAmount: 20 },
      {},
    ]);
    const { rows } = await network.pool.query(
      `select extract(day from expires_at - created_at)::int as days from transactions
        where card_id = $1 and approved and expires_at is not null`,
      [card.cardId],
    );
    expect(rows).toEqual([{ days: 7 }]);
  });

  test("in a currency that nobody knows it is acknowledged, each time, and leaves no trace", async () => {
    const card = await network.issue(10);
    const advice = terminal.purchase(card, 100n, { mti: "0120", fields: { 49: "000" } });
    const answer = await acquirer.ask(advice);
    expect(answer.mti).toBe("0130");
    expect(heard(answer)).toBe("00");
    expect(await acquirer.ask(terminal.repeat(advice))).toEqual(answer);
    expect(await network.transactionsOf(card.cardId)).toMatchObject([{ type: "InitialFunding" }]);
    const asked = terminal.purchase(card, 100n, { fields: { 49: "000" } });
    expect(heard(await acquirer.ask(asked))).toBe("57");
  });
});
