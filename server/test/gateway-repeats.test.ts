import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLog } from "../src/foundation/log.ts";
import { AcquirerConnection } from "../src/network/acquirer/connection.ts";
import type { Terminal } from "../src/network/acquirer/terminal.ts";
import type { Message } from "../src/network/iso8583/fields.ts";
import { type Service, startService } from "../src/service.ts";
import { readSetup } from "../src/setup.ts";
import { noteRefusal, type UnappliedMessage } from "../src/transactions/unapplied-table.ts";
import { verdict } from "./harness/answers.ts";
import { ApiClient } from "./harness/api-client.ts";
import { until } from "./harness/eventually.ts";
import { lockWaiters } from "./harness/lock-waiters.ts";
import {
  heard,
  type IssuedCard,
  type NetworkSandbox,
  placeOf,
  startNetworkSandbox,
} from "./harness/network.ts";

let network: NetworkSandbox;
let acquirer: AcquirerConnection;
let terminal: Terminal;
/** Shares nothing with the first but the database, as if that had been started again. */
let another: Service;
let elsewhere: AcquirerConnection;
beforeAll(async () => {
  network = await startNetworkSandbox();
  acquirer = await network.connect();
  ({ terminal } = network);
  another = await startService(
    await readSetup(network.service.environment),
    createLog({ level: "silent" }),
  );
  elsewhere = await AcquirerConnection.open(placeOf(another.addresses.network ?? ""));
});
afterAll(async () => {
  expect(await network.problems()).toEqual([]);
  elsewhere.cut();
  await another.stop();
  await network.stop();
});

const stateOf = async (): Promise<unknown> => {
  const { rows } = await network.pool.query(
    `select (select count(*) from transactions) as transactions,
            (select count(*) from postings) as postings,
            (select count(*) from events) as events,
            (select count(*) from unapplied_messages) as unapplied,
            (select sum(posted_minor) from accounts) as posted,
            (select sum(held_minor) from accounts) as held`,
  );
  return rows[0];
};

/** What has to happen before a message, and the message. */
type Story = (card: IssuedCard) => Promise<Message>;

const approved = async (card: IssuedCard, amountMinor = 2_000n): Promise<Message> => {
  const purchase = terminal.purchase(card, amountMinor);
  expect(heard(await acquirer.ask(purchase))).toBe("00");
  return purchase;
};
const settled = async (card: IssuedCard): Promise<Message> => {
  const purchase = await approved(card);
  expect(heard(await acquirer.ask(terminal.completion(purchase, 2_000n, "USD")))).toBe("00");
  return purchase;
};
const unheard = (card: IssuedCard): Message => terminal.purchase(card, 2_000n);

describe("a repetition has no second effect and the same answer, here and after a restart", () => {
  test.each<[string, string, Story]>([
    ["an approved purchase", "00", async (card) => terminal.purchase(card, 2_000n)],
    ["a declined purchase", "51", async (card) => terminal.purchase(card, 20_000n)],
    ["an advice", "00", async (card) => terminal.purchase(card, 20_000n, { mti: "0120" })],
    ["a single message", "00", async (card) => terminal.purchase(card, 2_000n, { mti: "0200" })],
    ["a declined one", "51", async (card) => terminal.purchase(card, 20_000n, { mti: "0200" })],
    [
      "a completion",
      "00",
      async (card) => terminal.completion(await approved(card), 1_500n, "USD"),
    ],
    ["a force post", "00", async (card) => terminal.completion(unheard(card), 1_500n, "USD")],
    ["a refund", "00", async (card) => terminal.refund(await settled(card), 1_500n, "USD")],
    ["an unlinked refund", "00", async (card) => terminal.refund(unheard(card), 1_500n, "USD")],
    ["a refused refund", "64", async (card) => terminal.refund(await approved(card), 1n, "USD")],
    ["a reversal", "00", async (card) => terminal.reversal(await approved(card), { mti: "0400" })],
    ["a reversal advice", "00", async (card) => terminal.reversal(await approved(card))],
    [
      "a partial reversal",
      "00",
      async (card) => terminal.reversal(await approved(card), { remainingMinor: 500n }),
    ],
    ["a reversal of nothing known", "00", async (card) => terminal.reversal(unheard(card))],
    ["a refused reversal", "12", async (card) => terminal.reversal(await settled(card))],
    [
      "a reversal of a single message",
      "00",
      async (card) => {
        const single = terminal.purchase(card, 2_000n, { mti: "0200" });
        expect(heard(await acquirer.ask(single))).toBe("00");
        return terminal.reversal(single);
      },
    ],
  ])("%s (%s)", async (_what, response, story) => {
    const message = await story(await network.issue(100));
    const first = await acquirer.ask(message);
    expect(heard(first)).toBe(response);
    const state = await stateOf();
    expect(await acquirer.ask(message)).toEqual(first);
    expect(await acquirer.ask(terminal.repeat(message))).toEqual(first);
    expect(await elsewhere.ask(terminal.repeat(message))).toEqual(first);
    expect(await stateOf()).toEqual(state);
  });
});

describe("what has happened since does not change the answer", () => {
  test("a refund that was refused stays refused when it would be possible", async () => {
    const purchase = await approved(await network.issue(100));
    const refund = terminal.refund(purchase, 1_000n, "USD");
    expect(heard(await acquirer.ask(refund))).toBe("64");
    await acquirer.ask(terminal.completion(purchase, 2_000n, "USD"));
    expect(heard(await elsewhere.ask(terminal.repeat(refund)))).toBe("64");
    expect(heard(await acquirer.ask(terminal.refund(purchase, 1_000n, "USD")))).toBe("00");
  });

  test("a refusal that was noted late is not told of a message that came through", async () => {
    const card = await network.issue(100);
    const refund = terminal.refund(await settled(card), 1_000n, "USD");
    expect(heard(await acquirer.ask(refund))).toBe("00");
    const { rows } = await network.pool.query<UnappliedMessage & { organizationId: string }>(
      `select m.organization_id as "organizationId", m.network_reference as "networkReference",
              m.request_type as "requestType", t.card_id as "cardId", '133' as "responseCode",
              null as "originalKey", m.created_at as "createdAt"
         from network_messages m join transactions t using (organization_id, transaction_id)
        where m.request_type = 'Refund' and t.card_id = $1`,
      [card.cardId],
    );
    const [refusal] = rows;
    if (refusal === undefined) throw new Error("The refund is not on record.");
    const before = await stateOf();
    await noteRefusal(network.pool, refusal);
    expect(await stateOf()).toEqual(before);
    // It may also have been noted a moment too early.
    await network.pool.query(
      `insert into unapplied_messages (organization_id, network_reference, request_type, card_id,
         response_code, created_at) values ($1, $2, 'Refund', $3, '133', now())`,
      [refusal.organizationId, refusal.networkReference, card.cardId],
    );
    expect(heard(await elsewhere.ask(terminal.repeat(refund)))).toBe("00");
  });

  test("an unlinked refund stays one when its purchase appears", async () => {
    const card = await network.issue(100);
    const purchase = unheard(card);
    const refund = terminal.refund(purchase, 1_000n, "USD");
    expect(heard(await acquirer.ask(refund))).toBe("00");
    await acquirer.ask(purchase);
    await acquirer.ask(terminal.completion(purchase, 2_000n, "USD"));
    expect(heard(await acquirer.ask(terminal.repeat(refund)))).toBe("00");
    expect(await network.get(`/cards/${card.cardId}`)).toMatchObject({ balance: 90 });
  });

  test("a force post and an unlinked refund stay posted when their currency has no rate any more", async () => {
    const card = await network.issue(100);
    const post = (): Message => terminal.completion(unheard(card), 1_000n, "EUR");
    const posts = [post(), terminal.refund(unheard(card), 1_000n, "EUR")];
    for (const message of posts) expect(heard(await acquirer.ask(message))).toBe("00");
    const simulated = { cardId: card.cardId, amount: 10, currency: "EUR", networkReference: "sim" };
    const { body } = await network.client.post("/simulator/settlements", simulated);
    await network.pool.query("update cards set programme_id = 'usd-gone' where card_id = $1", [
      card.cardId,
    ]);
    expect(heard(await elsewhere.ask(post())), "a new one").toBe("57");
    for (const message of posts) {
      expect(heard(await elsewhere.ask(terminal.repeat(message)))).toBe("00");
    }
    const { api: apiUrl, identity: identityUrl } = another.addresses;
    const client = new ApiClient({ ...network.service.sandbox, apiUrl, identityUrl });
    const repeated = await client.post("/simulator/settlements", simulated);
    expect([verdict(repeated), repeated.body.data]).toEqual(["200/000", body.data]);
  });

  test("a purchase that was reversed is answered as it was, and holds nothing again", async () => {
    const card = await network.issue(100);
    const purchase = await approved(card);
    await acquirer.ask(terminal.reversal(purchase));
    expect(heard(await acquirer.ask(terminal.repeat(purchase)))).toBe("00");
    expect(await network.get(`/cards/${card.cardId}`)).toMatchObject({ heldAmount: 0 });
  });

  test("a single message that was held and reversed before it was settled stays reversed", async () => {
    const card = await network.issue(100);
    const single = terminal.purchase(card, 2_000n, { mti: "0200" });
    // As after a crash between the two: the same name, but only the first half.
    await acquirer.ask({ ...single, mti: "0100" });
    expect(heard(await acquirer.ask(terminal.reversal(single)))).toBe("00");
    expect(heard(await acquirer.ask(terminal.repeat(single)))).toBe("21");
    expect(await network.get(`/cards/${card.cardId}`)).toMatchObject({
      balance: 100,
      heldAmount: 0,
    });
  });

  test("a single message that was reversed in part before it was settled is settled for the rest", async () => {
    for (const [currency, settledAmount] of [["USD", 5] as const, ["EUR", 5.4] as const]) {
      const card = await network.issue(100);
      const single = terminal.purchase(card, 2_000n, { mti: "0200", currency });
      await acquirer.ask({ ...single, mti: "0100" });
      const partly = terminal.reversal(single, { remainingMinor: 500n });
      expect(heard(await acquirer.ask(partly))).toBe("00");
      const repeated = terminal.repeat(single);
      expect(heard(await acquirer.ask(repeated))).toBe("00");
      expect(heard(await elsewhere.ask(repeated))).toBe("00");
      expect(await network.transactionsOf(card.cardId)).toMatchObject([
        { stage: "Settlement", settledAmount, heldAmount: 0, overCaptured: false },
        {},
      ]);
      expect(await network.balanceOf(card)).toEqual([100 - settledAmount, 0]);
    }
  });

  test("a single message that was held and not settled is completed by its repetition", async () => {
    const card = await network.issue(100);
    const single = terminal.purchase(card, 2_000n, { mti: "0200" });
    const first = await acquirer.ask({ ...single, mti: "0100" });
    const answer = await elsewhere.ask(terminal.repeat(single));
    expect(answer.fields).toMatchObject({ 38: first.fields[38], 39: "00" });
    expect(await network.get(`/cards/${card.cardId}`)).toMatchObject({
      balance: 80,
      heldAmount: 0,
    });
  });
});

describe("a name that another message has is no repetition", () => {
  const named = (message: Message, { fields }: Message): Message => ({
    ...message,
    fields: {
      ...message.fields,
      7: fields[7] ?? "",
      11: fields[11] ?? "",
      32: fields[32] ?? "",
      37: fields[37] ?? "",
    },
  });

  test("another card, or another amount, is answered 94", async () => {
    const [one, two] = [await network.issue(100), await network.issue(100)];
    const purchase = await approved(one);
    const state = await stateOf();
    const others = [terminal.purchase(two, 2_000n), terminal.purchase(one, 2_001n)];
    for (const other of others) {
      expect(heard(await acquirer.ask(named(other, purchase)))).toBe("94");
    }
    const euros = terminal.purchase(one, 2_000n, { currency: "EUR" });
    expect(heard(await acquirer.ask(named(euros, purchase)))).toBe("94");
    expect(await stateOf()).toEqual(state);
  });

  test("follow-ups of another card are answered 94, whether the first was accepted, refused or early", async () => {
    const [one, two] = [await network.issue(100), await network.issue(100)];
    const accepted = terminal.completion(await approved(one), 100n, "USD");
    const refused = terminal.refund(await approved(one), 100n, "USD");
    const early = terminal.reversal(unheard(one));
    const partial = terminal.reversal(await approved(one), { remainingMinor: 100n });
    for (const message of [accepted, refused, early, partial]) {
      await acquirer.ask(message);
      const other = { ...message, fields: { ...message.fields, 2: two.pan } };
      expect(heard(await acquirer.ask(other))).toBe("94");
      expect(heard(await acquirer.ask(message))).not.toBe("94");
    }
  });

  test("a trace number alone names nothing: it comes round again", async () => {
    const card = await network.issue(100);
    const [first, second] = [terminal.purchase(card, 1_000n), terminal.purchase(card, 1_000n)];
    const reused = { ...second, fields: { ...second.fields, 11: first.fields[11] ?? "" } };
    const answers = await Promise.all([acquirer.ask(first), elsewhere.ask(reused)]);
    expect(answers.map(heard)).toEqual(["00", "00"]);
    expect(answers[0]?.fields[38]).not.toBe(answers[1]?.fields[38]);
    expect(await network.get(`/cards/${card.cardId}`)).toMatchObject({ heldAmount: 20 });
  });
});

describe("at the same time", () => {
  const connections = (): AcquirerConnection[] => [acquirer, elsewhere];
  const untilWaiting = (batches: number): Promise<void> =>
    until(`${batches} wait for a lock`, async () => {
      return (await lockWaiters(network.pool, "florin-engine%")) === batches;
    });

  test("the same message many times has one effect and one answer", async () => {
    const card = await network.issue(100);
    const purchase = terminal.purchase(card, 2_000n);
    const sendAll = async (message: Message): Promise<Message[]> =>
      Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (connections()[n % 2] as AcquirerConnection).ask(
            n < 10 ? message : terminal.repeat(message),
          ),
        ),
      );
    const codes = new Set(
      (await sendAll(purchase)).map(({ fields }) => `${fields[38]} ${fields[39]}`),
    );
    expect([...codes]).toEqual([expect.stringMatching(/^\w{6} 00$/)]);
    const post = terminal.completion(terminal.purchase(card, 1_000n), 1_000n, "USD");
    expect(new Set((await sendAll(post)).map(heard))).toEqual(new Set(["00"]));
    const early = terminal.reversal(terminal.purchase(card, 1_000n));
    expect(new Set((await sendAll(early)).map(heard))).toEqual(new Set(["00"]));
    const single = terminal.purchase(card, 500n, { mti: "0200" });
    expect(new Set((await sendAll(single)).map(heard))).toEqual(new Set(["00"]));
    expect(await network.get(`/cards/${card.cardId}`)).toMatchObject({
      balance: 85,
      heldAmount: 20,
    });
  });

  test("two copies of a reversal agree, though another payment got its reference in between", async () => {
    const card = await network.issue(100);
    const purchase = await approved(card);
    const sameRetrieval = { 37: purchase.fields[37] ?? "" };
    const another = terminal.purchase(card, 500n, { fields: sameRetrieval });
    const { 90: _original, ...fields } = terminal.reversal(purchase).fields;
    const reversal: Message = { mti: "0420", fields };

    const holder = await network.pool.connect();
    const copies: Promise<Message>[] = [];
    try {
      await holder.query("begin; lock table network_messages in share mode; savepoint account");
      await holder.query(
        `select from accounts where account_id in (select account_id from cards where card_id = $1)
            for update`,
        [card.cardId],
      );
      const payment = acquirer.ask(another);
      await untilWaiting(1);
      copies.push(elsewhere.ask(reversal));
      await untilWaiting(2);
      await holder.query("rollback to account");
      expect(heard(await payment)).toBe("00");
      await untilWaiting(1);
      copies.push(acquirer.ask(reversal));
      await untilWaiting(2);
    } finally {
      await holder.query("rollback");
      holder.release();
    }

    expect((await Promise.all(copies)).map(heard)).toEqual(["00", "00"]);
    expect(await network.balanceOf(card)).toEqual([100, 5]);
  });

  test.each(["0100", "0200"] as const)(
    "a %s and its reversal come to nothing, whichever is first",
    async (mti) => {
      const card = await network.issue(100);
      const pairs = Array.from({ length: 60 }, (_, n) => {
        const purchase = terminal.purchase(card, 100n, { mti });
        const both = [purchase, terminal.reversal(purchase)];
        const [first, second] = n % 2 === 0 ? both : both.reverse();
        const [one, other] = n % 4 < 2 ? connections() : connections().reverse();
        return Promise.all([
          (one as AcquirerConnection).ask(first as Message),
          (other as AcquirerConnection).ask(second as Message),
        ]);
      });
      const answers = (await Promise.all(pairs)).flat();
      expect(answers.filter(({ mti }) => mti === "0430").map(heard)).toEqual(Array(60).fill("00"));
      const { balance, heldAmount } = await network.get(`/cards/${card.cardId}`);
      expect({ balance, heldAmount }).toEqual({ balance: 100, heldAmount: 0 });
    },
  );
});
