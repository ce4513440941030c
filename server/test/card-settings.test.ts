import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Card } from "../src/cards/card.ts";
import { newId } from "../src/foundation/ids.ts";
import { expectEnvelope, expectRefusal, fieldsOf, verdict } from "./harness/answers.ts";
import { type ApiAnswer, newReference } from "./harness/api-client.ts";
import { type Bank, openBank, tally } from "./harness/bank.ts";

let bank: Bank;
beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.stop());

type Step = "freeze" | "unfreeze";

const step = (name: Step, cardId: string, body?: unknown, reference = newReference()) =>
  bank.client.call("POST", `/cards/${cardId}/${name}`, { body, reference });

const change = (cardId: string, body: unknown, reference = newReference()): Promise<ApiAnswer> =>
  bank.client.call("PATCH", `/cards/${cardId}`, { body, reference });

// biome-ignore lint/suspicious/noExplicitAny: tests look into cards of every shape.
const read = async (cardId: string): Promise<any> =>
  (await bank.client.get(`/cards/${cardId}`)).body.data;

const terminated: Partial<Card> = { status: "Terminated", terminatedAt: new Date() };

describe("freezing", () => {
  test("and unfreezing answer the card and tell of it", async () => {
    const { cardId } = await bank.open({ balanceMinor: 700n });
    const frozen = await step("freeze", cardId);
    expectEnvelope(frozen);
    expect(frozen.body.data).toMatchObject({ cardId, status: "Frozen", balance: 7 });
    expect(await read(cardId)).toEqual(frozen.body.data);

    const unfrozen = await step("unfreeze", cardId);
    expect(unfrozen.body.data).toEqual({ ...frozen.body.data, status: "Active" });
    expect(await bank.eventsOf(cardId)).toEqual([
      { eventType: "card.frozen", sequence: 1n, data: frozen.body.data },
      { eventType: "card.unfrozen", sequence: 2n, data: unfrozen.body.data },
    ]);
  });

  test.each<[Step, Partial<Card>, string]>([
    ["freeze", { status: "Frozen" }, "422/117"],
    ["freeze", terminated, "422/143"],
    ["unfreeze", { status: "Active" }, "422/117"],
    ["unfreeze", terminated, "422/143"],
  ])("%s of a card with %j: %s", async (name, has, expected) => {
    const { cardId } = await bank.open(has);
    expectRefusal(await step(name, cardId), expected);
    expect((await read(cardId)).status).toBe(has.status);
    expect(await bank.eventsOf(cardId)).toEqual([]);
  });

  test("takes an empty body or none, and no other", async () => {
    const { cardId } = await bank.open();
    expect(verdict(await step("freeze", cardId, {}))).toBe("200/000");
    expect(verdict(await step("unfreeze", cardId))).toBe("200/000");
    const answer = await step("freeze", cardId, { reason: "lost" });
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(["reason"]);
    for (const body of [[], "5"]) {
      expectRefusal(await step("freeze", cardId, body), "400/131");
    }
  });

  test("a frozen card can be topped up", async () => {
    const { cardId } = await bank.open({ status: "Frozen" });
    const answer = await bank.client.post(`/cards/${cardId}/top-up`, { amount: 1 });
    expect(verdict(answer)).toBe("200/000");
    await bank.expectProof();
  });

  test("many at once freeze once", async () => {
    const { cardId } = await bank.open();
    const answers = await Promise.all(Array.from({ length: 8 }, () => step("freeze", cardId)));
    expect(tally(answers)).toEqual({ "200/000": 1, "422/117": 7 });
    expect(await bank.eventsOf(cardId)).toHaveLength(1);
  });

  test("one Reference freezes once, even if the card was unfrozen since", async () => {
    const { cardId } = await bank.open();
    const reference = newReference();
    await step("freeze", cardId, undefined, reference);
    await step("unfreeze", cardId);
    expectRefusal(await step("freeze", cardId, undefined, reference), "400/139");
    expect((await read(cardId)).status).toBe("Active");
  });

  test("one card of a shared account leaves the other as it is", async () => {
    const first = await bank.open({ sharedBalance: true });
    const second = await bank.open({ sharedBalance: true, accountId: first.accountId });
    await step("freeze", first.cardId);
    expect((await read(second.cardId)).status).toBe("Active");
    expect(await bank.eventsOf(second.cardId)).toEqual([]);
  });
});

describe("a change", () => {
  test.each(["whiteListedMccs", "blackListedMccs"])("takes up to 500 %s", async (name) => {
    const { cardId } = await bank.open();
    const mccs = Array.from({ length: 501 }, (_, n) => String(n).padStart(4, "0"));
    const answer = await change(cardId, { [name]: mccs.slice(1) });
    expect(verdict(answer)).toBe("200/000");
    expect(answer.body.data[name]).toHaveLength(500);
    const refused = await change(cardId, { [name]: mccs });
    expectRefusal(refused, "400/131");
    expect(fieldsOf(refused)).toEqual([name]);
  });

  test("replaces what is sent and leaves the rest", async () => {
    const { cardId } = await bank.open({
      dailyLimitMinor: 1000n,
      transactionLimitMinor: 500n,
      whiteListedMccs: ["5411"],
      metadata: { a: "1", b: "2" },
    });
    const before = await read(cardId);
    const answer = await change(cardId, {
      cardLimits: { dailyLimit: 20.5 },
      blackListedMccs: ["7995", "7995", "6011"],
      contactlessPayment: true,
      metadata: { c: "3" },
    });
    expectEnvelope(answer);
    expect(answer.body.data).toEqual({
      ...before,
      cardLimits: { dailyLimit: 20.5 },
      blackListedMccs: ["7995", "6011"],
      contactlessPayment: true,
      metadata: { c: "3" },
    });
    expect(await read(cardId)).toEqual(answer.body.data);
    expect(await bank.eventsOf(cardId)).toEqual([
      { eventType: "card.updated", sequence: 1n, data: answer.body.data },
    ]);
  });

  test.each([{}, null, { dailyLimit: null }, { dailyLimit: null, transactionLimit: null }])(
    "with cardLimits %j takes all limits away",
    async (cardLimits) => {
      const limits = { dailyLimitMinor: 1000n, transactionLimitMinor: 500n };
      const { cardId } = await bank.open(limits);
      const { body } = await change(cardId, { cardLimits });
      expect(body.data.cardLimits).toEqual({});
    },
  );

  test("with empty lists takes them away", async () => {
    const lists = { whiteListedMccs: ["5411"], blackListedMccs: ["7995"], metadata: { a: "1" } };
    const { cardId } = await bank.open(lists);
    const { body } = await change(cardId, {
      whiteListedMccs: [],
      blackListedMccs: [],
      metadata: {},
    });
    expect(body.data).toMatchObject({ whiteListedMccs: [], blackListedMccs: [], metadata: {} });
  });

  test("works on a frozen card, and not on a terminated one", async () => {
    const frozen = await bank.open({ status: "Frozen" });
    expect(verdict(await change(frozen.cardId, { contactlessPayment: true }))).toBe("200/000");
    const closed = await bank.open(terminated);
    expectRefusal(await change(closed.cardId, { contactlessPayment: true }), "422/143");
    const lite = await bank.open({ type: "Lite", swipeCount: 3, ...terminated });
    expectRefusal(await change(lite.cardId, { contactlessPayment: true }), "422/143");
  });

  test("lets no lite card pay contactless, but changes its limits", async () => {
    const { cardId } = await bank.open({ type: "Lite", swipeCount: 3 });
    expectRefusal(await change(cardId, { contactlessPayment: true }), "422/119");
    expect(verdict(await change(cardId, { contactlessPayment: false }))).toBe("200/000");
    const { body } = await change(cardId, { cardLimits: { transactionLimit: 2 } });
    expect(body.data).toMatchObject({ cardLimits: { transactionLimit: 2 }, swipeCount: 3 });
  });

  test.each<[unknown, string]>([
    [{}, "request"],
    [undefined, "request"],
    [{ status: "Active" }, "status"],
    [{ nameOnCard: "ADA" }, "nameOnCard"],
    [{ cardLimits: { weekly: 1 } }, "cardLimits.weekly"],
    [{ whiteListedMccs: ["x"] }, "whiteListedMccs.0"],
    [{ whiteListedMccs: null }, "whiteListedMccs"],
    [{ contactlessPayment: null }, "contactlessPayment"],
    [{ metadata: { a: 1 } }, "metadata.a"],
  ])("of %j is refused, naming the field", async (body, field) => {
    const { cardId } = await bank.open();
    const answer = await change(cardId, body);
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual([field]);
  });

  test.each([
    { dailyLimit: 0 },
    { dailyLimit: -1 },
    { transactionLimit: 1.005 },
    { transactionLimit: "5" },
  ])("of the limits to %j: 400/111", async (cardLimits) => {
    const { cardId } = await bank.open();
    expectRefusal(await change(cardId, { cardLimits }), "400/111");
  });

  test("reads limits in the card's own currency", async () => {
    const { cardId } = await bank.open({ currency: "JPY", programmeId: "jpy" });
    expectRefusal(await change(cardId, { cardLimits: { dailyLimit: 100.5 } }), "400/111");
    const { body } = await change(cardId, { cardLimits: { dailyLimit: 100 } });
    expect(body.data.cardLimits).toEqual({ dailyLimit: 100 });
  });

  test("that comes at the same time as others is not lost", async () => {
    const { cardId } = await bank.open();
    const changes = [
      { cardLimits: { dailyLimit: 5 } },
      { whiteListedMccs: ["5411"] },
      { metadata: { a: "b" } },
      { contactlessPayment: true },
    ];
    await Promise.all([
      ...changes.map((body) => change(cardId, body)),
      step("freeze", cardId),
      bank.client.post(`/cards/${cardId}/top-up`, { amount: 3 }),
    ]);
    expect(await read(cardId)).toMatchObject({
      ...Object.assign({}, ...changes),
      status: "Frozen",
      balance: 3,
    });
    const sequences = (await bank.eventsOf(cardId)).map(({ sequence }) => sequence);
    expect(sequences).toEqual([1n, 2n, 3n, 4n, 5n, 6n]);
    await bank.expectProof();
  });
});

test("a card that is unknown, malformed or another's", async () => {
  const another = await bank.foundAnother();
  const { cardId } = await bank.open();
  const body = { contactlessPayment: true };
  for (const name of ["freeze", "unfreeze"] as const) {
    expectRefusal(await step(name, newId("card", 0)), "404/148");
    expectRefusal(await step(name, "card_1"), "400/112");
    expectRefusal(await another.client.call("POST", `/cards/${cardId}/${name}`), "404/148");
  }
  expectRefusal(await change(newId("card", 0), body), "404/148");
  expectRefusal(await change("card_1", body), "400/112");
  expectRefusal(await another.client.call("PATCH", `/cards/${cardId}`, { body }), "404/148");
  expect(await read(cardId)).toMatchObject({ status: "Active", contactlessPayment: false });
});
