import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { audit } from "../src/ledger/audit/audit.ts";
import { verdict } from "./harness/answers.ts";
import { type ApiClient, newReference } from "./harness/api-client.ts";
import { type Answering, approve, declineIt, waiting } from "./harness/decider.ts";
import { until } from "./harness/eventually.ts";
import { type ManagedSandbox, startManagedSandbox } from "./harness/managed.ts";
import { startTestService, type TestService } from "./harness/service.ts";

/** A process that heard too late has it taken back only when its question is 30 s old. */
const TAKEN_BACK_MS = 60_000;

let it: ManagedSandbox;
let other: TestService;
let clients: ApiClient[];

beforeAll(async () => {
  it = await startManagedSandbox();
  other = await startTestService({ FLORIN_DATABASE_URL: it.service.databaseUrl });
  clients = [it.client, other.client];
  // A process that hears too late decides alike.
  await it.letDecide("AutoApprove");
  await Promise.all(clients.map((client) => client.token()));
});
beforeEach(() => {
  it.decider.calls.length = 0;
});
afterEach(async () => {
  expect((await audit(it.pool)).problems).toEqual([]);
});
afterAll(async () => {
  await other.stop();
  await it.stop();
});

/** Lets both processes ask before either hears an answer. */
function answerBothTogether(answer: Answering = approve): void {
  const { answering, go } = waiting(answer);
  it.decider.answer = (call, response) => {
    answering(call, response);
    if (it.decider.questions.length === 2) go();
  };
}

/** What was asked about and not recorded has been taken back, and nothing else. */
async function expectOthersTakenBack(recorded: string): Promise<void> {
  const asked = it.decider.questions.map(({ message }) => message.transactionId);
  const lost = asked.filter((transactionId) => transactionId !== recorded);
  expect(lost).toHaveLength(asked.length - 1);
  await until(
    "the others are taken back",
    () => it.decider.advices.length >= lost.length,
    TAKEN_BACK_MS,
  );
  expect(it.decider.advices.map(({ message }) => message.transactionId)).toEqual(lost);
  expect(it.decider.advicesOf(recorded)).toEqual([]);
}

test("when new settings are answered, both processes decide by them", async () => {
  const buy = async () => {
    const { cardId } = await it.openCard();
    const { body } = await other.client.post("/simulator/authorizations", { cardId, amount: 1 });
    return body.data.decision.model;
  };
  for (let round = 0; round < 3; round++) {
    const body = { model: "ServiceManaged" };
    await it.client.call("PUT", "/settings/card-authorization", { body });
    expect(await buy()).toBe("ServiceManaged");
    await it.letDecide("AutoApprove");
    expect(await buy()).toBe("CustomerManaged");
  }
});

test("one message that reaches both is recorded once, and answered alike", async () => {
  answerBothTogether();
  const { cardId } = await it.openCard();
  const before = await it.wallet();
  const networkReference = newReference();
  const body = { cardId, amount: 5, networkReference };
  const answers = await Promise.all(
    clients.map((client) => client.post("/simulator/authorizations", body)),
  );
  const [first, second] = answers.map((answer) => answer.body.data);
  expect(first.approved).toBe(true);
  expect(second.transactionId).toBe(first.transactionId);
  expect((await it.wallet()).availableBalance).toBe(before.availableBalance - 5);
  await expectOthersTakenBack(first.transactionId);
});

test("one Reference that reaches both works once", async () => {
  answerBothTogether();
  const { cardId } = await it.openCard();
  const before = await it.wallet();
  const reference = newReference();
  const answers = await Promise.all(
    clients.map((client) =>
      client.post("/simulator/authorizations", { cardId, amount: 5 }, { reference }),
    ),
  );
  expect(answers.map(verdict).toSorted()).toEqual(["200/000", "400/139"]);
  expect((await it.wallet()).availableBalance).toBe(before.availableBalance - 5);
  const done = answers.find(({ status }) => status === 200)?.body.data;
  await expectOthersTakenBack(done.transactionId);
});

/** Sends a purchase to both under one Reference, and gives what is left to be taken back later. */
async function questionsLeft(answer: Answering): Promise<number> {
  it.decider.calls.length = 0;
  answerBothTogether(answer);
  const { cardId } = await it.openCard();
  const reference = newReference();
  const body = { cardId, amount: 5 };
  const answers = await Promise.all(
    clients.map((client) => client.post("/simulator/authorizations", body, { reference })),
  );
  expect(answers.map(verdict).toSorted()).toEqual(["200/000", "400/139"]);
  const { rows } = await it.pool.query(
    `select (select count(*)::int from authorization_questions where card_id = $1) as questions,
            (select count(*)::int from authorization_advices where card_id = $1) as advices`,
    [cardId],
  );
  // Neither waiting nor told, after which it is not kept.
  expect([rows[0].advices, it.decider.advices]).toEqual([0, []]);
  return rows[0].questions;
}

test("a Reference that was declined to both leaves nothing to be taken back", async () => {
  // Whoever heard too late on a busy machine leaves one, so that it may take another try.
  await expect.poll(() => questionsLeft(declineIt), { timeout: TAKEN_BACK_MS }).toBe(0);
  await it.pool.query("delete from authorization_questions");
});

test("a Reference that neither got an answer for may have been approved, and is taken back later", async () => {
  // The one that counts is approved by default; nothing came of the other.
  expect(await questionsLeft(() => undefined)).toBe(1);
  await it.pool.query("delete from authorization_questions");
});

test("one network reference for two cards is recorded for one, and taken back for the other", async () => {
  answerBothTogether();
  const cards = [await it.openCard(), await it.openCard()];
  const networkReference = newReference();
  const answers = await Promise.all(
    clients.map((client, index) =>
      client.post("/simulator/authorizations", {
        cardId: cards[index]?.cardId,
        amount: 5,
        networkReference,
      }),
    ),
  );
  expect(answers.map(verdict).toSorted()).toEqual(["200/000", "422/138"]);
  const done = answers.find(({ status }) => status === 200)?.body.data;
  await expectOthersTakenBack(done.transactionId);
});

test("each advice is told once while both processes tell them", async () => {
  it.decider.answer = approve;
  const bought = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const { cardId } = await it.openCard();
      const { transactionId, approved } = await it.buy(cardId, 1);
      return approved ? [transactionId] : [];
    }),
  );
  const all = bought.flat();
  await Promise.all(all.map((transactionId) => it.follow(transactionId, "settle")));
  await Promise.all(all.map((transactionId) => it.follow(transactionId, "refund")));
  await until("all are told", () => it.decider.advices.length >= 2 * all.length);
  for (const transactionId of all) {
    expect(it.decider.advicesOf(transactionId)).toEqual(["Settlement", "Refund"]);
  }
});

test("a name that two cards' messages have at once is the first one's, and the other is told so", async () => {
  for (let round = 0; round < 10; round++) {
    const cards = await Promise.all([
      it.openCard({ status: "Frozen" }),
      it.openCard({ status: "Frozen", currency: "NGN" }),
    ]);
    const networkReference = newReference();
    const answers = await Promise.all(
      clients.map((client, n) =>
        client.post("/simulator/authorizations", {
          cardId: cards[n]?.cardId,
          amount: 5,
          networkReference,
        }),
      ),
    );
    expect(answers.map(verdict).toSorted()).toEqual(["200/000", "422/138"]);
  }
});
