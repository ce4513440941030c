import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Purchase } from "../src/authorization/purchase.ts";
import type { Card } from "../src/cards/card.ts";
import { ServiceClock } from "../src/foundation/clock.ts";
import { expectRefusal, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { type Bank, openBank, tally } from "./harness/bank.ts";
import { openIssuer } from "./harness/issuer.ts";
import { countersOf } from "./harness/kept.ts";
import { decided, type Payments, paymentsOf } from "./harness/payments.ts";

let bank: Bank;
let payments: Payments;

beforeAll(async () => {
  bank = await openBank();
  payments = paymentsOf(bank.client);
});

afterAll(() => bank.stop());

const control = ({ cardId }: Pick<Card, "cardId">, path: string, body: unknown) =>
  bank.client.post(`/cards/${cardId}/merchants/${path}`, body);

/** What became of each merchant, short. */
const results = async (card: Pick<Card, "cardId">, path: string, ...mids: string[]) => {
  const answer = await control(card, path, { mids });
  expect(verdict(answer)).toBe("200/000");
  return answer.body.data.map(
    ({ mid, result, responseCode }: Record<string, string>) => `${mid} ${result} ${responseCode}`,
  );
};

const listsOf = async ({ cardId }: Card) => {
  const { merchantWhitelist, merchantBlacklist } = (await bank.client.get(`/cards/${cardId}`)).body
    .data;
  return { merchantWhitelist, merchantBlacklist };
};

const buyAt = async ({ cardId }: Card, mid: string, more: object = {}) =>
  decided(await payments.buy(cardId, 1, { merchant: { mid }, ...more }));

describe("each merchant has a result of its own, in the order sent", () => {
  test("on the blacklist", async () => {
    const card = await bank.open();
    expect(await results(card, "blacklist", "B2", "A1", "no good", "B2", "")).toEqual([
      "B2 Added 000",
      "A1 Added 000",
      "no good Invalid 134",
      "B2 AlreadyListed 000",
      " Invalid 134",
    ]);
    expect(await listsOf(card)).toEqual({
      merchantWhitelist: [],
      merchantBlacklist: ["A1", "B2"],
    });
    expect(await results(card, "blacklist/remove", "A1", "C3", "A1", "!")).toEqual([
      "A1 Removed 000",
      "C3 NotListed 000",
      "A1 NotListed 000",
      "! Invalid 134",
    ]);
    expect(await listsOf(card)).toEqual({ merchantWhitelist: [], merchantBlacklist: ["B2"] });
  });

  test("on the whitelist", async () => {
    const card = await bank.open();
    expect(await results(card, "whitelist", "A1", "A1", "B2")).toEqual([
      "A1 Added 000",
      "A1 AlreadyListed 000",
      "B2 Added 000",
    ]);
    expect(await results(card, "blacklist", "A1")).toEqual(["A1 Added 000"]);
    expect(await results(card, "whitelist/remove", "B2", "B2")).toEqual([
      "B2 Removed 000",
      "B2 NotListed 000",
    ]);
    expect(await listsOf(card)).toEqual({ merchantWhitelist: ["A1"], merchantBlacklist: ["A1"] });
  });

  test("of a one-time unblock", async () => {
    const card = await bank.open();
    await results(card, "blacklist", "A1");
    await results(card, "whitelist", "W1");
    expect(await results(card, "one-time-unblock", "A1", "A1", "W1", "1234567890123456")).toEqual([
      "A1 Unblocked 000",
      "A1 Unblocked 000",
      "W1 NotListed 000",
      "1234567890123456 Invalid 134",
    ]);
  });

  test.each(["A", "z9", "123456789012345", "ABCDEFGHIJKLMNO"])(
    "%s is a merchant id",
    async (mid) => {
      const answer = await control(await bank.open(), "blacklist", { mid });
      expect(answer.body.data).toEqual([{ mid, result: "Added", responseCode: "000" }]);
    },
  );

  test.each(["", " ", "A B", "A-1", "é", "１２", "ABCDEFGHIJKLMNOP", "A\u0000", "A\n", "\ud800"])(
    "%j is none",
    async (mid) => {
      const answer = await control(await bank.open(), "whitelist", { mid });
      expect(answer.body.data).toMatchObject([{ result: "Invalid", responseCode: "134" }]);
    },
  );
});

describe("lists decide", () => {
  test("a blacklisted merchant is declined with 186, others are not", async () => {
    const card = await bank.open({ balanceMinor: 100_00n });
    await results(card, "blacklist", "BAD");
    expect(await buyAt(card, "BAD")).toBe("186");
    expect(await buyAt(card, "bad")).toBe("000");
    expect(await buyAt(card, "GOOD")).toBe("000");
    await results(card, "blacklist/remove", "BAD");
    expect(await buyAt(card, "BAD")).toBe("000");
  });

  test("a whitelist restricts to its merchants, dominates, and when empty restricts nothing", async () => {
    const card = await bank.open({ balanceMinor: 100_00n });
    await results(card, "whitelist", "GOOD", "BOTH");
    await results(card, "blacklist", "BOTH", "BAD");
    expect(await buyAt(card, "GOOD")).toBe("000");
    expect(await buyAt(card, "BOTH")).toBe("000");
    expect(await buyAt(card, "BAD")).toBe("125");
    expect(await buyAt(card, "OTHER")).toBe("125");
    await results(card, "whitelist/remove", "GOOD", "BOTH");
    expect(await buyAt(card, "OTHER")).toBe("000");
    expect(await buyAt(card, "BOTH")).toBe("186");
  });

  test("lists are the card's own, even where the balance is shared", async () => {
    const card = await bank.open({ balanceMinor: 100_00n, sharedBalance: true });
    const { accountId, customerId } = card;
    const other = await bank.open({ accountId, customerId, sharedBalance: true });
    await results(card, "blacklist", "BAD");
    expect(await buyAt(card, "BAD")).toBe("186");
    expect(await buyAt(other, "BAD")).toBe("000");
  });

  test("a frozen card's lists can be changed", async () => {
    const card = await bank.open({ status: "Frozen" });
    expect(await results(card, "whitelist", "A1")).toEqual(["A1 Added 000"]);
  });
});

describe("a one-time unblock", () => {
  test("lets one purchase pass, then the rule is back", async () => {
    const card = await bank.open({ balanceMinor: 100_00n });
    await results(card, "blacklist", "BAD");
    await results(card, "one-time-unblock", "BAD");
    expect(await buyAt(card, "GOOD")).toBe("000");
    expect(await buyAt(card, "BAD")).toBe("000");
    expect(await buyAt(card, "BAD")).toBe("186");
  });

  test("is spent by an attempt that a later check declines", async () => {
    const card = await bank.open({ balanceMinor: 100_00n });
    await results(card, "blacklist", "BAD");
    await results(card, "one-time-unblock", "BAD");
    expect(decided(await payments.buy(card.cardId, 500, { merchant: { mid: "BAD" } }))).toBe("116");
    expect(await buyAt(card, "BAD")).toBe("186");
  });

  test("is not spent by an attempt that an earlier check declines, nor by a dry run", async () => {
    const card = await bank.open({ balanceMinor: 100_00n });
    await results(card, "blacklist", "BAD");
    await results(card, "one-time-unblock", "BAD");
    expect(await buyAt(card, "BAD", { expiryMonth: 1, expiryYear: 2030 })).toBe("124");
    const merchant = { mid: "BAD" };
    expect(decided(await payments.rehearse(card.cardId, 1, { merchant }))).toBe("000");
    expect(await buyAt(card, "BAD")).toBe("000");
  });

  test("is spent even where a whitelist decides", async () => {
    const card = await bank.open({ balanceMinor: 100_00n });
    await results(card, "blacklist", "BAD");
    await results(card, "one-time-unblock", "BAD");
    await results(card, "whitelist", "GOOD");
    expect(await buyAt(card, "BAD")).toBe("125");
    await results(card, "whitelist/remove", "GOOD");
    expect(await buyAt(card, "BAD")).toBe("186");
  });

  test("goes with its rule", async () => {
    const card = await bank.open({ balanceMinor: 100_00n });
    await results(card, "blacklist", "BAD");
    await results(card, "one-time-unblock", "BAD");
    await results(card, "blacklist/remove", "BAD");
    await results(card, "blacklist", "BAD");
    expect(await buyAt(card, "BAD")).toBe("186");
  });

  test("lets exactly one of many at once pass", async () => {
    const card = await bank.open({ balanceMinor: 100_00n });
    await results(card, "blacklist", "BAD");
    await results(card, "one-time-unblock", "BAD");
    const answers = await Promise.all(Array.from({ length: 20 }, () => buyAt(card, "BAD")));
    expect(answers.sort()).toEqual(["000", ...Array.from({ length: 19 }, () => "186")]);
  });
});

test("a change is told once, with the card as it is then; where nothing changed nothing is told", async () => {
  const card = await bank.open();
  await results(card, "blacklist", "A1", "not one");
  await results(card, "blacklist", "A1");
  await results(card, "whitelist/remove", "A1");
  await results(card, "one-time-unblock", "A1");
  await results(card, "one-time-unblock", "A1");
  await results(card, "blacklist/remove", "A1");
  const events = await bank.eventsOf(card.cardId);
  expect(events.map(({ eventType }) => eventType)).toEqual(
    Array.from({ length: 3 }, () => "card.merchants_changed"),
  );
  expect(events[0]?.data).toMatchObject({
    cardId: card.cardId,
    merchantBlacklist: ["A1"],
    merchants: [{ mid: "A1", result: "Added", responseCode: "000" }],
  });
  expect(events[2]?.data).toMatchObject({ merchantBlacklist: [] });
  await bank.expectProof();
});

test("other events of the card show its lists, too", async () => {
  const card = await bank.open();
  await results(card, "whitelist", "A1");
  const body = { contactlessPayment: true };
  const changed = await bank.client.call("PATCH", `/cards/${card.cardId}`, { body });
  expect(changed.body.data.merchantWhitelist).toEqual(["A1"]);
  const frozen = await bank.client.post(`/cards/${card.cardId}/freeze`, {});
  expect(frozen.body.data.merchantWhitelist).toEqual(["A1"]);
  const ended = await bank.client.post(`/cards/${card.cardId}/terminate`, {});
  expect(ended.body.data.merchantWhitelist).toEqual(["A1"]);
  const listed = await bank.client.get(`/cards?customerId=${card.customerId}`);
  expect(listed.body.data[0].merchantWhitelist).toEqual(["A1"]);
});

const paths = [
  "blacklist",
  "blacklist/remove",
  "whitelist",
  "whitelist/remove",
  "one-time-unblock",
];

test.each(paths)("%s: who may not, is told why", async (path) => {
  const card = await bank.open();
  expectRefusal(await control({ cardId: "card_1" }, path, { mid: "A" }), "400/112");
  const unknown = `card_${"0".repeat(26)}`;
  expectRefusal(await control({ cardId: unknown }, path, { mid: "A" }), "404/148");
  const closed = await bank.open({ status: "Terminated" });
  expectRefusal(await control(closed, path, { mid: "A" }), "422/143");
  const { client } = await bank.foundAnother();
  const theirs = await client.post(`/cards/${card.cardId}/merchants/${path}`, { mid: "A" });
  expectRefusal(theirs, "404/148");
});

test.each([
  ["nothing", {}],
  ["both", { mid: "A", mids: ["A"] }],
  ["no merchant", { mids: [] }],
  ["101 merchants", { mids: Array.from({ length: 101 }, (_, n) => `M${n}`) }],
  ["a number", { mid: 12 }],
  ["a number among them", { mids: ["A", 12] }],
  ["null", { mid: null }],
  ["an unknown field", { mid: "A", list: "White" }],
  ["no object", ["A"]],
])("a body with %s is malformed", async (_what, body) => {
  expectRefusal(await control(await bank.open(), "blacklist", body), "400/131");
});

test.each([
  ["blacklist", "merchantBlacklist", "whitelist"],
  ["whitelist", "merchantWhitelist", "blacklist"],
] as const)(
  "a %s has a bound, and a call that would break it changes nothing",
  async (path, list, other) => {
    const card = await bank.open();
    const mids = Array.from({ length: 1_000 }, (_, n) => `M${n}`);
    for (let start = 0; start < 1_000; start += 100) {
      const answer = await control(card, path, { mids: mids.slice(start, start + 100) });
      expect(verdict(answer)).toBe("200/000");
    }
    const more = await control(card, path, { mids: ["M1", "X"] });
    expectRefusal(more, "422/119");
    expect(more.body.responseMessage).toMatch(/1000/);
    expect((await listsOf(card))[list]).toHaveLength(1_000);
    expect(await results(card, path, "M1")).toEqual(["M1 AlreadyListed 000"]);
    expect(await results(card, other, "X")).toEqual(["X Added 000"]);
  },
);

test("changes at once: each merchant is added once, and removed once", async () => {
  const card = await bank.open();
  const tallyOf = async (path: string) => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => results(card, path, `M${n % 10}`)),
    );
    const counts: Record<string, number> = {};
    for (const text of answers.flat()) {
      const result = text.split(" ")[1] ?? "";
      counts[result] = (counts[result] ?? 0) + 1;
    }
    return counts;
  };
  expect(await tallyOf("whitelist")).toEqual({ Added: 10, AlreadyListed: 20 });
  expect(await countersOf(bank.pool, card.cardId)).toMatchObject({ mids: [10, 0] });
  expect(await tallyOf("whitelist/remove")).toEqual({ Removed: 10, NotListed: 20 });
  expect((await listsOf(card)).merchantWhitelist).toEqual([]);
  await bank.expectProof();
});

test("a merchant that is removed and added again within one batch ends where it should", async () => {
  const card = await bank.open({ balanceMinor: 100_00n });
  await results(card, "blacklist", "BAD");
  const steps = ["blacklist/remove", "blacklist", "one-time-unblock", "blacklist/remove"];
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      control(card, steps[n % steps.length] ?? "", { mid: "BAD" }),
    ),
  );
  expect(tally(answers)).toEqual({ "200/000": 40 });
  await results(card, "blacklist", "BAD");
  expect((await listsOf(card)).merchantBlacklist).toEqual(["BAD"]);
  await bank.expectProof();
});

test("the same Reference works once", async () => {
  const card = await bank.open();
  const reference = newReference();
  const path = `/cards/${card.cardId}/merchants/blacklist`;
  const answers = [
    await bank.client.post(path, { mid: "A" }, { reference }),
    await bank.client.post(path, { mid: "A" }, { reference }),
  ];
  expect(answers.map(verdict)).toEqual(["200/000", "400/139"]);
});

test("a Reference leads to the card, also where nothing changed", async () => {
  const { cardId } = await bank.open();
  const path = `/cards/${cardId}/merchants/blacklist`;
  for (const result of ["Added", "AlreadyListed"]) {
    const reference = newReference();
    const answer = await bank.client.post(path, { mid: "A" }, { reference });
    expect(answer.body.data).toMatchObject([{ result }]);
    const { body } = await bank.client.get(`/requests/${reference}`);
    expect(body.data).toMatchObject({ state: "Succeeded", resourceId: cardId });
  }
});

test("a card that had lists when it bought last is expected to have them, by those that serve it", async () => {
  const issuer = await openIssuer(bank.service.databaseUrl, new ServiceClock());
  const run = vi.spyOn(issuer.engine, "run");
  const card = await bank.open({ balanceMinor: 100_00n });
  const facts = await issuer.cardBook.find(bank.organizationId, card.cardId);
  const isExpected = async (): Promise<unknown> => {
    await issuer.door.authorize(bank.organizationId, {
      card: facts,
      requestType: "Authorization",
      amountMinor: 1_00n,
      currency: "USD",
      merchant: { mid: "SHOP1", mcc: "5999", name: "Shop", city: "Town", country: "US" },
      entryMode: "Chip",
    });
    return (run.mock.lastCall?.[2] as Purchase | undefined)?.expected?.listed;
  };
  try {
    expect([await isExpected(), await isExpected()]).toEqual([false, false]);
    await results(card, "blacklist", "B1");
    expect([await isExpected(), await isExpected()]).toEqual([false, true]);
    await results(card, "blacklist/remove", "B1");
    expect([await isExpected(), await isExpected()]).toEqual([true, false]);
  } finally {
    await issuer.stop();
  }
});
