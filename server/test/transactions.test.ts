import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { transactionStages, transactionTypes } from "../src/transactions/transaction.ts";
import { expectRefusal, verdict } from "./harness/answers.ts";
import type { ApiClient } from "./harness/api-client.ts";
import { type Bank, openBank } from "./harness/bank.ts";
import { DAY_S, type Payments, paymentsOf } from "./harness/payments.ts";

let bank: Bank;
let payments: Payments;
/** Everything there is, newest first. */
let all: Listed[];

interface Listed {
  transactionId: string;
  cardId: string;
  customerId: string;
  type: string;
  stage: string;
  currency: string;
  approved: boolean;
  createdAt: string;
}

beforeAll(async () => {
  bank = await openBank();
  payments = paymentsOf(bank.client);
  await makeHistory();
  all = await listAll({});
});

afterAll(() => bank.stop());

/** Transactions of every type and every stage, on cards in two currencies. */
async function makeHistory(): Promise<void> {
  const { client } = bank;
  await client.post("/simulator/wallets/deposits", { currency: "NGN", amount: 100_000 });
  const first = await bank.open({ balanceMinor: 5_000_00n });
  const { customerId } = first;
  const second = await bank.open({ balanceMinor: 5_000_00n, customerId });
  const third = await bank.open({ balanceMinor: 5_000_00n });
  const naira = await bank.open({
    balanceMinor: 50_000_00n,
    currency: "NGN",
    programmeId: "ngn-ng",
  });
  for (const [index, { cardId }] of [first, second, third, naira].entries()) {
    const buy = async (amount: number, more: object = {}): Promise<string> =>
      (await payments.buy(cardId, amount, more)).body.data.transactionId;
    for (const requestType of ["Authorization", "PreAuthorization", "CashWithdrawal"]) {
      const merchant = { country: index === 0 ? "FR" : index === 3 ? "NG" : "US" };
      const bought: string[] = [];
      for (const currency of [undefined, "GBP", "EUR"]) {
        bought.push(await buy(10, { requestType, currency, merchant }));
      }
      const [one = "", two = "", three = ""] = bought;
      await payments.settle(one);
      await payments.settle(two, { amount: 4, partial: true });
      await payments.reverse(three);
      await buy(9, { requestType, merchant });
      await buy(8, { requestType, currency: "EUR" });
      await buy(0, { requestType });
      await buy(1_000_000, { requestType });
      await buy(7, { requestType, currency: "JPY" });
      if (index < 2) await payments.refund(one);
    }
    await payments.forcePost(cardId, 3);
    await payments.refundUnlinked(cardId, 2, { currency: "GBP" });
    await client.post(`/cards/${cardId}/top-up`, { amount: 10 });
    await client.post(`/cards/${cardId}/withdraw`, { amount: 5 });
  }
  const transfer = { sourceCardId: first.cardId, beneficiaryCardId: second.cardId, amount: 1 };
  await client.post("/cards/transfers", transfer);
  await payments.advance(8 * DAY_S);
  for (const { cardId } of [first, third]) await payments.buy(cardId, 6);
  await client.post(`/cards/${third.cardId}/terminate`, {});
  await payments.advance(DAY_S);
  await payments.buy(second.cardId, 5);
}

async function listAll(
  filter: Record<string, string>,
  limit = 100,
  client: ApiClient = bank.client,
): Promise<Listed[]> {
  const found: Listed[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query: string = new URLSearchParams({
      ...filter,
      limit: String(limit),
      ...(cursor === "" ? {} : { cursor }),
    }).toString();
    const { status, body } = await client.get(`/transactions?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data.length).toBeLessThanOrEqual(limit);
    found.push(...body.data);
    cursor = body.pagination.nextCursor;
  }
  return found;
}

const idsOf = (rows: Listed[]) => rows.map(({ transactionId }) => transactionId);

test("the history has what it should", () => {
  const stages = new Set(all.map(({ stage }) => stage));
  expect([...stages].sort()).toEqual([...transactionStages].sort());
  expect(all.length).toBeGreaterThan(100);
  expect(idsOf(all)).toEqual(idsOf(all).sort().reverse());
  expect(new Set(idsOf(all)).size).toBe(all.length);
});

describe("a filter gives exactly what matches, newest first, in pages of any size", () => {
  const values = {
    type: [undefined, ...transactionTypes],
    stage: [undefined, ...transactionStages],
    currency: [undefined, "USD", "NGN", "EUR", "JPY", "CHF"],
    approved: [undefined, "true", "false"],
  };
  const matching = (filter: Record<string, string>): string[] =>
    idsOf(
      all.filter((row) =>
        Object.entries(filter).every(
          ([name, value]) => String(row[name as keyof Listed]) === value,
        ),
      ),
    );
  const without = (filter: Record<string, string | undefined>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );

  test.each(values.type)(
    "type %s with each stage, currency and approval",
    async (type) => {
      for (const stage of values.stage) {
        for (const currency of values.currency) {
          for (const approved of values.approved) {
            const filter = without({ type, stage, currency, approved });
            expect(idsOf(await listAll(filter)), JSON.stringify(filter)).toEqual(matching(filter));
          }
        }
      }
    },
    60_000,
  );

  test("of one card and of one customer", async () => {
    const cards = new Set(all.map(({ cardId }) => cardId));
    const customers = new Set(all.map(({ customerId }) => customerId));
    for (const stage of values.stage) {
      for (const cardId of cards) {
        const filter = without({ cardId, stage });
        expect(idsOf(await listAll(filter)), JSON.stringify(filter)).toEqual(matching(filter));
      }
      for (const customerId of customers) {
        const filter = without({ customerId, stage });
        expect(idsOf(await listAll(filter)), JSON.stringify(filter)).toEqual(matching(filter));
      }
    }
    const [cardId = ""] = cards;
    for (const customerId of customers) {
      const filter = { cardId, customerId };
      expect(idsOf(await listAll(filter)), JSON.stringify(filter)).toEqual(matching(filter));
    }
  });

  test.each<Record<string, string>>([
    {},
    { approved: "true" },
    { approved: "false" },
    { stage: "Settlement" },
    { stage: "Authorization" },
    { currency: "USD" },
    { type: "Authorization", currency: "EUR" },
  ])(
    "in pages of one and of seven: %o",
    async (filter) => {
      expect(idsOf(await listAll(filter, 1))).toEqual(matching(filter));
      expect(idsOf(await listAll(filter, 7))).toEqual(matching(filter));
    },
    60_000,
  );

  test("of a customer in pages of one", async () => {
    const customerId = all.at(-1)?.customerId ?? "";
    expect(idsOf(await listAll({ customerId }, 1))).toEqual(matching({ customerId }));
  });

  test("of a time", async () => {
    const days = [...new Set(all.map(({ createdAt }) => createdAt.slice(0, 10)))];
    expect(days.length).toBe(3);
    for (const day of days) {
      const expected = idsOf(all.filter(({ createdAt }) => createdAt.startsWith(day)));
      expect(idsOf(await listAll({ from: day, to: day }))).toEqual(expected);
      const approved = all.filter((row) => row.createdAt.startsWith(day) && row.approved);
      expect(idsOf(await listAll({ from: day, to: day, approved: "true" }))).toEqual(
        idsOf(approved),
      );
    }
  });

  test("since and until the very moment of one of them", async () => {
    const times = all.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
    for (const moment of times.filter((_time, index) => index % 5 === 0)) {
      const since = all.filter(({ createdAt }) => createdAt >= moment);
      const until = all.filter(({ createdAt }) => createdAt < moment);
      expect(idsOf(await listAll({ from: moment }))).toEqual(idsOf(since));
      expect(idsOf(await listAll({ to: moment }))).toEqual(idsOf(until));
    }
  });
});

test.each([
  ["type=Purchase", "400/131"],
  ["type=authorization", "400/131"],
  ["stage=Open", "400/131"],
  ["currency=XXXX", "400/131"],
  ["approved=yes", "400/131"],
  ["approved=", "400/131"],
  ["limit=0", "400/131"],
  ["limit=101", "400/131"],
  ["cursor=bm9uc2Vuc2U", "400/131"],
  ["customerId=cus_1", "400/131"],
  ["merchant=X", "400/131"],
  ["cardId=card_1", "400/112"],
  ["cardId=", "400/112"],
  ["from=2026-02-30", "400/132"],
  ["to=yesterday", "400/132"],
  ["from=2026-03-02&to=2026-03-01", "400/132"],
])("?%s is refused with %s", async (query, expected) => {
  expectRefusal(await bank.client.get(`/transactions?${query}`), expected);
});

test("a card or customer that nobody knows has none, and so has another organization", async () => {
  const none = "0".repeat(26);
  expect(await listAll({ cardId: `card_${none}` })).toEqual([]);
  expect(await listAll({ customerId: `cus_${none}` })).toEqual([]);
  const { client } = await bank.foundAnother();
  expect(await listAll({}, 100, client)).toEqual([]);
  const [newest] = all;
  for (const filter of [
    { cardId: newest?.cardId ?? "" },
    { customerId: newest?.customerId ?? "" },
    { approved: "false" },
    { stage: "Settlement" },
    { stage: "Authorization" },
    { currency: "EUR" },
  ]) {
    expect(await listAll(filter, 100, client)).toEqual([]);
  }
  expectRefusal(await client.get(`/transactions/${newest?.transactionId}`), "404/157");
});

describe("one transaction", () => {
  test("is the one in the list, and tells how it was decided", async () => {
    for (const listed of all) {
      const { status, body } = await bank.client.get(`/transactions/${listed.transactionId}`);
      expect(status).toBe(200);
      const { decision, ...rest } = body.data;
      expect(rest).toEqual(listed);
      const isDecided = ["Authorization", "PreAuthorization", "CashWithdrawal"].includes(
        listed.type,
      );
      expect(decision === undefined).toBe(!isDecided);
    }
  });

  test("has the fields of the contract, and no others", async () => {
    const declined = all.find(({ stage }) => stage === "Declined");
    const { body } = await bank.client.get(`/transactions/${declined?.transactionId}`);
    expect(Object.keys(body.data).sort()).toEqual(
      [
        ...["transactionId", "cardId", "customerId", "type", "stage", "approved", "responseCode"],
        ...["responseMessage", "amount", "currency", "billingAmount", "billingCurrency"],
        ...["heldAmount", "settledAmount", "reversedAmount", "refundedAmount", "overCaptured"],
        ...["merchant", "entryMode", "approvalCode", "networkReference", "decision", "events"],
        ...["createdAt", "updatedAt"],
      ].sort(),
    );
    expect(Object.keys(body.data.merchant)).toEqual(["mid", "mcc", "name", "city", "country"]);
    expect(Object.keys(body.data.events[0])).toEqual([
      "requestType",
      "amount",
      "responseCode",
      "at",
    ]);
    expect(body.data.decision).toMatchObject({ model: "ServiceManaged" });
    const failed = body.data.decision.trace.filter(
      ({ result }: { result: string }) => result === "Fail",
    );
    expect(failed).toMatchObject([{ responseCode: body.data.responseCode }]);
  });

  test.each(["txn_1", `txn_${"0".repeat(26)}`, `card_${"0".repeat(26)}`, "x"])(
    "%s is none",
    async (id) => expectRefusal(await bank.client.get(`/transactions/${id}`), "404/157"),
  );
});

describe("as CSV", () => {
  const readCsv = async (query = ""): Promise<{ type: string; lines: string[] }> => {
    const { client, service } = bank;
    const url = `${service.sandbox.apiUrl}/api/v1/transactions${query}`;
    const headers = await client.headers("GET", url, { headers: { Accept: "text/csv" } });
    const answer = await fetch(url, { headers });
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text.endsWith("\r\n")).toBe(true);
    return { type: answer.headers.get("content-type") ?? "", lines: text.trim().split("\r\n") };
  };

  test("everything comes, whatever the limit says", async () => {
    const { type, lines } = await readCsv("?limit=1");
    expect(type).toMatch(/^text\/csv/);
    const [head = "", ...rows] = lines;
    expect(head.split(",").slice(0, 5)).toEqual([
      ...["transactionId", "cardId", "customerId", "type", "stage"],
    ]);
    expect(rows.map((row) => row.split(",")[0])).toEqual(idsOf(all));
  });

  test("each line says what the list says", async () => {
    const [head = "", ...rows] = (await readCsv()).lines;
    const ofMerchant: Record<string, string> = {
      ...{ mid: "mid", mcc: "mcc" },
      ...{ merchantName: "name", merchantCity: "city", merchantCountry: "country" },
    };
    const { body } = await bank.client.get("/transactions?limit=100");
    for (const [n, shown] of body.data.entries()) {
      const cells = rows[n]?.split(",") ?? [];
      for (const [at, name] of head.split(",").entries()) {
        const field = ofMerchant[name];
        const value = (field === undefined ? shown[name] : shown.merchant?.[field]) ?? "";
        const cell = cells[at];
        expect(typeof value === "number" ? Number(cell) : cell, name).toBe(
          typeof value === "number" ? value : String(value),
        );
      }
    }
    expect(body.data.some((row: Listed) => row.stage === "Refund")).toBe(true);
  });

  test("or what the filter matches", async () => {
    const { lines } = await readCsv("?stage=Declined&currency=JPY");
    const expected = all.filter(
      ({ stage, currency }) => stage === "Declined" && currency === "JPY",
    );
    expect(lines.slice(1).map((row) => row.split(",")[0])).toEqual(idsOf(expected));
    expect(expected.length).toBeGreaterThan(0);
  });

  test("what a merchant calls itself is text, never a formula or another cell", async () => {
    const { cardId } = await bank.open({ balanceMinor: 100_00n });
    const merchant = { name: '=HYPERLINK("x"),1', city: 'Say "hi"', mid: "CSV" };
    await payments.buy(cardId, 12.3, { merchant });
    const { lines } = await readCsv(`?cardId=${cardId}`);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`,CSV,5999,"'=HYPERLINK(""x""),1","Say ""hi""",US,`);
    expect(lines[1]).toContain(",12.30,USD,12.30,USD,12.30,0.00,0.00,0.00,false,");
    await bank.pool.query("delete from transactions where card_id = $1", [cardId]);
    await bank.pool.query(
      "update accounts set held_minor = 0 where account_id in (select account_id from cards where card_id = $1)",
      [cardId],
    );
  });

  test("a bad filter is refused as JSON", async () => {
    const answer = await bank.client.get("/transactions?stage=Open", {
      headers: { Accept: "text/csv" },
    });
    expect(verdict(answer)).toBe("400/131");
  });
});
