import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { audit } from "../src/ledger/audit/audit.ts";
import { AcquirerConnection } from "../src/network/acquirer/connection.ts";
import { Terminal } from "../src/network/acquirer/terminal.ts";
import { approve, saying, waiting } from "./harness/decider.ts";
import { until } from "./harness/eventually.ts";
import { type ManagedSandbox, startManagedSandbox } from "./harness/managed.ts";
import { availableIn, heard, type IssuedCard, issueCard, placeOf } from "./harness/network.ts";

let it: ManagedSandbox;
let acquirer: AcquirerConnection;
const terminal = new Terminal();
let card: IssuedCard;

beforeAll(async () => {
  it = await startManagedSandbox();
  acquirer = await AcquirerConnection.open(placeOf(it.service.networkAddress));
});
beforeEach(async () => {
  it.decider.answer = approve;
  it.decider.calls.length = 0;
  await it.letDecide("AutoDecline");
  card = await issueCard(it.client, it.pool, it.organizationId, { initialBalance: 5 });
});
afterEach(async () => {
  expect((await audit(it.pool)).problems).toEqual([]);
});
afterAll(async () => {
  acquirer.cut();
  await it.stop();
});

test("who decides for itself is asked about a card network's message, and its answer goes out", async () => {
  const answer = await acquirer.ask(terminal.purchase(card, 2_000n));
  expect(heard(answer)).toBe("00");
  // The wallet pays; the network hears of the card's own balance alone.
  expect(availableIn(answer)).toBe(500n);
  it.decider.answer = saying({ decision: "Decline", responseCode: "301" });
  expect(heard(await acquirer.ask(terminal.purchase(card, 2_000n)))).toBe("59");
  expect(it.decider.questions).toHaveLength(2);
});

test("nobody is asked about what the network has decided; the wallet holds it", async () => {
  const before = await it.wallet();
  it.decider.answer = saying({ decision: "Decline" });
  const advice = terminal.purchase(card, 2_000n, { mti: "0120" });
  expect(heard(await acquirer.ask(advice))).toBe("00");
  expect(it.decider.questions).toEqual([]);
  expect((await it.wallet()).availableBalance).toBe(before.availableBalance - 20);
  await acquirer.ask(terminal.completion(advice, 2_000n, "USD"));
  expect((await it.wallet()).balance).toBe(before.balance - 20);
  await until("it is told of the settlement", () =>
    it.decider.advices.some(({ message }) => message.requestType === "Settlement"),
  );
});

test("a single message is settled from the wallet, and its reversal gives it back", async () => {
  const before = await it.wallet();
  const single = terminal.purchase(card, 2_000n, { mti: "0200" });
  expect(heard(await acquirer.ask(single))).toBe("00");
  expect((await it.wallet()).balance).toBe(before.balance - 20);
  expect(heard(await acquirer.ask(terminal.reversal(single)))).toBe("00");
  expect((await it.wallet()).balance).toBe(before.balance);
});

test.each(["0100", "0200"] as const)(
  "a reversal that comes while the organization is asked about its %s takes the approval back",
  async (mti) => {
    const before = await it.wallet();
    const late = waiting(approve);
    it.decider.answer = late.answering;
    const purchase = terminal.purchase(card, 2_000n, { mti });
    const answer = acquirer.ask(purchase);
    await late.asked;
    expect(heard(await acquirer.ask(terminal.reversal(purchase)))).toBe("00");
    late.go();
    expect(heard(await answer)).toBe("21");
    expect(await it.wallet()).toEqual(before);
    const [{ transactionId }] = (await it.client.get(`/transactions?cardId=${card.cardId}`)).body
      .data;
    expect(await it.remoteOf(transactionId)).toEqual({
      durationMs: expect.any(Number),
      timedOut: false,
      defaultUsed: false,
    });
    await until("it is told to forget it", () =>
      it.decider.advices.some(({ message }) => message.requestType === "Reversal"),
    );
  },
);

test("a reversal that comes while the organization is asked in vain leaves on record how that went", async () => {
  const late = waiting(approve);
  it.decider.answer = late.answering;
  const purchase = terminal.purchase(card, 2_000n);
  const answer = acquirer.ask(purchase);
  await late.asked;
  expect(heard(await acquirer.ask(terminal.reversal(purchase)))).toBe("00");
  expect(heard(await answer)).toBe("21");
  const [{ transactionId }] = (await it.client.get(`/transactions?cardId=${card.cardId}`)).body
    .data;
  const report = { durationMs: expect.any(Number), timedOut: true, defaultUsed: true };
  expect(await it.remoteOf(transactionId)).toMatchObject(report);
  late.go();
  await until("the late answer is noted", async () =>
    (await it.eventsOf(card.cardId)).some(({ type }) => type === "authorization.late_answer"),
  );
  expect(await it.remoteOf(transactionId)).toMatchObject({ ...report, lateDecision: "Approve" });
  expect((await it.eventsOf(card.cardId)).map(({ type }) => type)).toContain(
    "authorization.remote_timeout",
  );
});

test("a completion that comes while the organization is asked settles what it approves", async () => {
  await it.letDecide("AutoApprove");
  const before = await it.wallet();
  const late = waiting(approve);
  it.decider.answer = late.answering;
  const purchase = terminal.purchase(card, 2_000n);
  const answer = acquirer.ask(purchase);
  await late.asked;
  const completed = acquirer.ask(terminal.completion(purchase, 2_000n, "USD"));
  // When this is answered, the completion before it has been read.
  await acquirer.ask(terminal.management("301"));
  late.go();
  expect([await answer, await completed].map(heard)).toEqual(["00", "00"]);
  expect(await it.wallet()).toMatchObject({
    balance: before.balance - 20,
    availableBalance: before.availableBalance - 20,
  });
});
