import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectRefusal, fieldsOf, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { type Bank, openBank } from "./harness/bank.ts";
import { openCustomer } from "./harness/customers.ts";

let bank: Bank;
let ada: string;
beforeAll(async () => {
  bank = await openBank();
  ada = await openCustomer(bank.pool, bank.organizationId);
});
afterAll(() => bank.stop());

describe("an amount is the number that was written:", () => {
  test.each([
    ["1e2", 100],
    ["1E+2", 100],
    ["100.00", 100],
    ["12.5e-1", 1.25],
    ["1e-2", 0.01],
    ["0.07", 0.07],
    ["8.41", 8.41],
    ["4.35", 4.35],
    ["1.10000", 1.1],
  ])("%s", async (text, expected) => {
    const { cardId } = await bank.open();
    const { body } = await bank.client.post(`/cards/${cardId}/top-up`, `{"amount":${text}}`);
    expect(body.data).toMatchObject({ amount: expected, cardBalance: expected });
  });

  const wrong = [
    "1e-3",
    "-0",
    "-0.0",
    "0e5",
    "-1e2",
    "0.30000000000000004",
    "99.999",
    "1.0000000001",
    "10000000.01",
    "1e8",
    "9007199254740993",
    "1e308",
    "1e400",
    "1e-400",
    '"1e2"',
    '"100"',
    "true",
    "null",
    "[]",
    "{}",
  ];

  test.each(wrong)("%s is none: 400/111, wherever an amount is asked for", async (text) => {
    const [from, to] = [await bank.open({ balanceMinor: 100_00n }), await bank.open()];
    const limits = `{"customerId":"${ada}","cardLimits":{"dailyLimit":${text}}}`;
    const transfer = `"sourceCardId":"${from.cardId}","beneficiaryCardId":"${to.cardId}"`;
    const bodies: [path: string, body: string][] = [
      [`/cards/${from.cardId}/top-up`, `{"amount":${text}}`],
      [`/cards/${from.cardId}/withdraw`, `{"amount":${text}}`],
      ["/cards/transfers", `{${transfer},"amount":${text}}`],
      ["/cards/retail", limits],
      ["/cards/lite", `{"customerId":"${ada}","swipeCount":1,"balance":${text}}`],
      ["/simulator/settlements", `{"cardId":"${from.cardId}","amount":${text}}`],
      ["/simulator/refunds", `{"cardId":"${from.cardId}","amount":${text}}`],
      ["/simulator/wallets/deposits", `{"currency":"USD","amount":${text}}`],
    ];
    for (const [path, body] of bodies) {
      const answer = await bank.client.post(path, body);
      expect.soft(verdict(answer), `${path} ${body}`).toBe("400/111");
    }
    expect(await bank.balanceOf(from.accountId)).toBe(100_00n);
  });

  test("where nothing is an amount too, less than nothing is not", async () => {
    const issue = (text: string) =>
      bank.client.post("/cards/retail", `{"customerId":"${ada}","initialBalance":${text}}`);
    expect(verdict(await issue("0"))).toBe("200/000");
    expect(verdict(await issue("0.00"))).toBe("200/000");
    expectRefusal(await issue("-0"), "400/111");
    expectRefusal(await issue("-0.01"), "400/111");
  });
});

describe("a request with several amounts is told which of them its currency does not allow:", () => {
  const issue = { balance: 5, swipeCount: 1 };

  test.each<[path: string, body: object, field: string]>([
    ["/cards/retail", { initialBalance: 1.001 }, "initialBalance"],
    ["/cards/retail", { cardLimits: { dailyLimit: 1.001 } }, "cardLimits.dailyLimit"],
    [
      "/cards/retail",
      { initialBalance: 1, cardLimits: { dailyLimit: 1, transactionLimit: 1.001 } },
      "cardLimits.transactionLimit",
    ],
    ["/cards/lite", { ...issue, balance: 1.001 }, "balance"],
    ["/cards/lite", { ...issue, balance: 10_000.01 }, "balance"],
    ["/cards/lite", { ...issue, cardLimits: { dailyLimit: 1.001 } }, "cardLimits.dailyLimit"],
    ["/cards/reissue", { sharedBalance: false, initialBalance: 1.001 }, "initialBalance"],
    [
      "/cards/reissue",
      { sharedBalance: false, cardLimits: { transactionLimit: 1.001 } },
      "cardLimits.transactionLimit",
    ],
  ])("%s %j", async (path, body, field) => {
    const answer = await bank.client.post(path, { customerId: ada, ...body });
    expectRefusal(answer, "400/111");
    expect(fieldsOf(answer)).toEqual([field]);
  });

  test("one amount alone is named too", async () => {
    const { cardId } = await bank.open({ balanceMinor: 100_00n });
    const answer = await bank.client.post(`/cards/${cardId}/top-up`, { amount: 1.001 });
    expectRefusal(answer, "400/111");
    expect(answer.body.errors).toEqual([
      { field: "amount", message: "has more decimals than USD allows (2)" },
    ]);
  });
});

describe("an amount that is none in any currency is refused before anything is looked up:", () => {
  const UNKNOWN_CARD = "card_zzzzzzzzzzzzzzzzzzzzzzzzzz";
  const UNKNOWN_CUSTOMER = "cus_00000000000000000000000000";

  test.each<[method: "POST" | "PATCH", path: string, body: object]>([
    ["POST", `/cards/${UNKNOWN_CARD}/top-up`, { amount: -1 }],
    ["POST", `/cards/${UNKNOWN_CARD}/withdraw`, { amount: 0 }],
    [
      "POST",
      "/cards/transfers",
      { sourceCardId: UNKNOWN_CARD, beneficiaryCardId: UNKNOWN_CARD, amount: 0 },
    ],
    ["PATCH", `/cards/${UNKNOWN_CARD}`, { cardLimits: { dailyLimit: -1 } }],
    ["POST", "/cards/retail", { customerId: UNKNOWN_CUSTOMER, initialBalance: -1 }],
    [
      "POST",
      "/cards/reissue",
      { customerId: UNKNOWN_CUSTOMER, sharedBalance: false, initialBalance: -1 },
    ],
    [
      "POST",
      "/cards/lite",
      { customerId: UNKNOWN_CUSTOMER, currency: "EUR", balance: 0, swipeCount: 1 },
    ],
    ["POST", "/simulator/authorizations", { cardId: UNKNOWN_CARD, amount: -1 }],
    ["POST", "/simulator/settlements", { cardId: UNKNOWN_CARD, amount: 10_000_000.01 }],
  ])("%s %s %j", async (method, path, body) => {
    const reference = newReference();
    const answer = await bank.client.call(method, path, { body, reference });
    expectRefusal(answer, "400/111");
    const { body: about } = await bank.client.get(`/requests/${reference}`);
    expect(about.data.state).toBe("Unknown");
  });
});
