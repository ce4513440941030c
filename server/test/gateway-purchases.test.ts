import { describe, expect, test } from "vitest";
import type { AcquirerConnection } from "../src/network/acquirer/connection.ts";
import type { Terminal } from "../src/network/acquirer/terminal.ts";
import { gatewayService } from "./harness/gateway-service.ts";
import {
  availableIn,
  heard,
  type IssuedCard,
  issueCard,
  type NetworkSandbox,
} from "./harness/network.ts";

let network: NetworkSandbox;
let acquirer: AcquirerConnection;
let terminal: Terminal;
gatewayService((open) => {
  ({ network, acquirer, terminal } = open);
});

describe("0800", () => {
  test.each(["001", "002", "301"] as const)("DE 70 = %s is answered 0810 with 00", async (code) => {
    const request = terminal.management(code);
    const answer = await acquirer.ask(request);
    expect(answer).toEqual({ mti: "0810", fields: { ...request.fields, 39: "00" } });
  });

  test("a DE 70 that nobody knows is an invalid transaction, none is a format error", async () => {
    const { fields } = terminal.management("301");
    expect(heard(await acquirer.ask({ mti: "0800", fields: { ...fields, 70: "161" } }))).toBe("12");
    const { 70: _code, ...without } = fields;
    expect(heard(await acquirer.ask({ mti: "0800", fields: without }))).toBe("30");
  });
});

describe("0100", () => {
  test("a purchase is approved with its code and what is left, and held", async () => {
    const card = await network.issue(100);
    const request = terminal.purchase(card, 2_550n);
    const answer = await acquirer.ask(request);
    const {
      2: pan,
      3: kind,
      4: amount,
      7: sent,
      11: trace,
      32: acquirerId,
      37: name,
    } = answer.fields;
    expect({ ...request.fields, 39: "00" }).toMatchObject({
      2: pan,
      3: kind,
      4: amount,
      7: sent,
      11: trace,
      32: acquirerId,
      37: name,
      39: "00",
    });
    expect(answer.mti).toBe("0110");
    expect(availableIn(answer)).toBe(7_450n);
    const [transaction] = await network.transactionsOf(card.cardId);
    expect(transaction).toMatchObject({
      type: "Authorization",
      stage: "Authorization",
      approved: true,
      amount: 25.5,
      heldAmount: 25.5,
      approvalCode: answer.fields[38],
      entryMode: "Ecommerce",
      networkReference: `${acquirerId}${name}${trace}${sent}`,
      merchant: {
        mid: "ACQUIRER1",
        mcc: "5999",
        name: "FLORIN ACQUIRER",
        city: "ANYWHERE",
        country: "US",
      },
    });
  });

  test.each([
    ["purchase", "Authorization"],
    ["pre-authorization", "PreAuthorization"],
    ["cash", "CashWithdrawal"],
  ] as const)("a %s is of type %s", async (kind, type) => {
    const card = await network.issue(10);
    expect(heard(await acquirer.ask(terminal.purchase(card, 1_000n, { kind })))).toBe("00");
    expect(await network.transactionsOf(card.cardId)).toMatchObject([{ type, heldAmount: 10 }, {}]);
  });

  test.each([
    ["more than there is", 1_001n, {}, "51"],
    ["another expiry", 100n, { fields: { 14: "2001" } }, "54"],
    ["a wrong CVV2", 100n, { cvv: "wrong" }, "N7"],
    ["contactless with a card that is not", 100n, { fields: { 22: "071" } }, "57"],
    ["a currency without a rate", 100n, { fields: { 49: "392" } }, "57"],
    ["a currency that is none", 100n, { fields: { 49: "999" } }, "57"],
    ["a kind that is not known", 100n, { fields: { 3: "310000" } }, "12"],
    ["a number of ours that no card has", 100n, { fields: { 2: "4111111111111111" } }, "14"],
    ["a number of another BIN", 100n, { fields: { 2: "5555555555554444" } }, "14"],
    ["no card, in no currency", 100n, { fields: { 2: "4111111111111111", 49: "999" } }, "14"],
  ])("%s is declined", async (_what, amountMinor, { cvv, ...change }: Change, response) => {
    const card = await network.issue(10);
    const wrongCvv = card.cvv === "111" ? "112" : "111";
    const shown = cvv === undefined ? card : { ...card, cvv: wrongCvv };
    const answer = await acquirer.ask(terminal.purchase(shown, amountMinor, change));
    expect(heard(answer)).toBe(response);
    expect(answer.fields).not.toHaveProperty("38");
    // What there is, is told to whoever wanted more, and to nobody else.
    const told = response === "51" ? "0002840C000000001000" : undefined;
    expect(answer.fields[54]).toBe(told);
    expect(await network.get(`/cards/${card.cardId}`)).toMatchObject({ availableBalance: 10 });
  });

  test("frozen and terminated cards are declined", async () => {
    const card = await network.issue(10);
    await network.client.post(`/cards/${card.cardId}/freeze`, {});
    expect(heard(await acquirer.ask(terminal.purchase(card, 100n)))).toBe("62");
    await network.client.post(`/cards/${card.cardId}/terminate`, {});
    expect(heard(await acquirer.ask(terminal.purchase(card, 100n)))).toBe("14");
  });

  test("an amount of 0 verifies the card", async () => {
    const card = await network.issue(10);
    const answer = await acquirer.ask(terminal.purchase(card, 0n));
    expect(heard(answer)).toBe("00");
    expect(availableIn(answer)).toBe(1_000n);
    expect(await network.transactionsOf(card.cardId)).toMatchObject([{ heldAmount: 0 }, {}]);
  });

  test("another currency is billed by the programme, whatever DE 6 says", async () => {
    const card = await network.issue(100);
    const fields = { 6: "000000000001", 51: "840", 10: "61000000" };
    const answer = await acquirer.ask(terminal.purchase(card, 1_000n, { currency: "EUR", fields }));
    expect(answer.fields).toMatchObject({ 39: "00", 6: "000000001080", 51: "840" });
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { amount: 10, currency: "EUR", billingAmount: 10.8, billingCurrency: "USD" },
      {},
    ]);
  });

  test.each([
    ["05", "Chip"],
    ["07", "Contactless"],
    ["81", "Ecommerce"],
    ["90", "MagStripe"],
    ["01", "Ecommerce"],
    ["00", "Ecommerce"],
  ])("DE 22 = %s is %s", async (mode, entryMode) => {
    const card = await network.issue(10, { contactlessPayment: true });
    const answer = await acquirer.ask(
      terminal.purchase(card, 100n, { fields: { 22: `${mode}1` } }),
    );
    expect(heard(answer)).toBe("00");
    expect(await network.transactionsOf(card.cardId)).toMatchObject([{ entryMode }, {}]);
  });

  test("a merchant without a country that there is, is where its acquirer is, else at home", async () => {
    const card = await network.issue(10);
    const nowhere = "SHOP".padEnd(40);
    const { 18: _mcc, 42: _mid, ...bare } = terminal.purchase(card, 100n).fields;
    await acquirer.ask(terminal.purchase(card, 100n, { fields: { 43: nowhere, 19: "250" } }));
    await acquirer.ask({ mti: "0100", fields: { ...bare, 43: nowhere } });
    const unknown = `${"SHOP".padEnd(38)}ZZ`;
    await acquirer.ask(terminal.purchase(card, 100n, { fields: { 43: unknown, 19: "250" } }));
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { merchant: { name: "SHOP", country: "FR" } },
      { merchant: { mid: "", mcc: "", name: "SHOP", city: "", country: "US" } },
      { merchant: { mid: "ACQUIRER1", name: "SHOP", city: "", country: "FR" } },
      {},
    ]);
  });
});

interface Change {
  cvv?: string;
  fields?: Record<number, string>;
}

describe("0200", () => {
  test.each([
    ["purchase", "Authorization"],
    ["cash", "CashWithdrawal"],
    ["pre-authorization", "Authorization"],
  ] as const)("a %s is authorized and settled at once", async (kind, type) => {
    const card = await network.issue(100);
    const answer = await acquirer.ask(terminal.purchase(card, 4_000n, { mti: "0200", kind }));
    expect(answer.mti).toBe("0210");
    expect(heard(answer)).toBe("00");
    expect(availableIn(answer)).toBe(6_000n);
    const [transaction] = await network.transactionsOf(card.cardId);
    expect(transaction).toMatchObject({
      type,
      stage: "Settlement",
      heldAmount: 0,
      settledAmount: 40,
      approvalCode: answer.fields[38],
      events: [{ requestType: type }, { requestType: "Settlement" }],
    });
  });

  test("what is declined is not settled; nothing is settled of nothing", async () => {
    const card = await network.issue(10);
    expect(heard(await acquirer.ask(terminal.purchase(card, 1_001n, { mti: "0200" })))).toBe("51");
    expect(heard(await acquirer.ask(terminal.purchase(card, 0n, { mti: "0200" })))).toBe("00");
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { stage: "Authorization", amount: 0 },
      { stage: "Declined" },
      {},
    ]);
  });

  test("its reversal gives the money back, once, and part of it where some remains", async () => {
    const card = await network.issue(100);
    const whole = terminal.purchase(card, 4_000n, { mti: "0200" });
    await acquirer.ask(whole);
    const reversal = terminal.reversal(whole);
    const answer = await acquirer.ask(reversal);
    expect(heard(answer)).toBe("00");
    expect(availableIn(answer)).toBe(10_000n);
    expect(heard(await acquirer.ask(terminal.repeat(reversal)))).toBe("00");
    for (const change of [{}, { remainingMinor: 1_500n }, { remainingMinor: 4_000n }]) {
      expect(heard(await acquirer.ask(terminal.reversal(whole, change)))).toBe("21");
    }
    const part = terminal.purchase(card, 4_000n, { mti: "0200" });
    await acquirer.ask(part);
    const partly = await acquirer.ask(terminal.reversal(part, { remainingMinor: 1_500n }));
    expect(heard(partly)).toBe("00");
    expect(availableIn(partly)).toBe(8_500n);
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { stage: "Refund", settledAmount: 40, refundedAmount: 25 },
      { stage: "Refund", settledAmount: 40, refundedAmount: 40 },
      {},
    ]);
  });

  test("its reversal gives back to the daily limit, whole or in part; a refund does not", async () => {
    const card = await network.issue(500, { cardLimits: { dailyLimit: 100 } });
    const buy = async (amountMinor: bigint, response: string) => {
      const single = terminal.purchase(card, amountMinor, { mti: "0200" });
      expect(heard(await acquirer.ask(single))).toBe(response);
      return single;
    };
    const reversal = terminal.reversal(await buy(10_000n, "00"));
    await buy(1n, "61");
    expect(heard(await acquirer.ask(reversal))).toBe("00");
    expect(heard(await acquirer.ask(terminal.repeat(reversal)))).toBe("00");
    const second = await buy(10_000n, "00");
    await buy(1n, "61");
    const partly = terminal.reversal(second, { remainingMinor: 6_000n });
    expect(heard(await acquirer.ask(partly))).toBe("00");
    await buy(4_001n, "61");
    await buy(4_000n, "00");
    expect(heard(await acquirer.ask(terminal.refund(second, 1_000n, "USD")))).toBe("00");
    await buy(1n, "61");
    // What the refund has given back is not reversed again, neither as money nor for the day.
    expect(heard(await acquirer.ask(terminal.reversal(second)))).toBe("00");
    await buy(5_001n, "61");
    await buy(5_000n, "00");
    expect(await network.balanceOf(card)).toEqual([410, 0]);
  });
});

describe("a lite card", () => {
  test("ends with its last swipe or its last money, whichever message brings it", async () => {
    const lite = (swipeCount: number) => ({ path: "/cards/lite", balance: 10, swipeCount });
    const { client, pool, organizationId } = network;
    const issue = (swipeCount: number) => issueCard(client, pool, organizationId, lite(swipeCount));
    const statusOf = async ({ cardId }: IssuedCard) =>
      (await network.get(`/cards/${cardId}`)).status;
    const swiped = await issue(1);
    expect(heard(await acquirer.ask(terminal.purchase(swiped, 100n, { mti: "0200" })))).toBe("00");
    expect(await statusOf(swiped)).toBe("Terminated");
    const spent = await issue(5);
    const advice = terminal.purchase(spent, 5_000n, { mti: "0120" });
    expect(heard(await acquirer.ask(advice))).toBe("00");
    expect(await statusOf(spent)).toBe("Terminated");
    // Another one finds nothing to hold, on a card that has ended.
    const more = terminal.purchase(spent, 100n, { mti: "0120" });
    expect(heard(await acquirer.ask(more))).toBe("00");
    expect(heard(await acquirer.ask(terminal.completion(advice, 1_000n, "USD")))).toBe("00");
    expect(await network.get(`/cards/${spent.cardId}`)).toMatchObject({
      balance: 0,
      heldAmount: 0,
    });
  });
});
