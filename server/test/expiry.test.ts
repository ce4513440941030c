import { afterAll, beforeAll, expect, test } from "vitest";
import { advance, HoldExpiry } from "../src/clearing/expiry.ts";
import { lookThrough } from "../src/clearing/expiry-store.ts";
import { ServiceClock } from "../src/foundation/clock.ts";
import { createLog } from "../src/foundation/log.ts";
import { type Bank, openBank } from "./harness/bank.ts";
import { until } from "./harness/eventually.ts";
import { openIssuer } from "./harness/issuer.ts";
import { DAY_S, decided, type Payments, paymentsOf } from "./harness/payments.ts";

let bank: Bank;
let payments: Payments;

beforeAll(async () => {
  bank = await openBank();
  payments = paymentsOf(bank.client);
});

afterAll(() => bank.stop());

const buy = async (cardId: string, amount: number, more: object = {}): Promise<string> =>
  (await payments.buy(cardId, amount, more)).body.data.transactionId;

const read = async (transactionId: string) =>
  (await bank.client.get(`/transactions/${transactionId}`)).body.data;

test("what the network authorized in our place ends, too, where there was nothing to hold", async () => {
  const { cardId } = await bank.open();
  const issuer = await openIssuer(bank.service.databaseUrl, new ServiceClock());
  const { transaction } = await issuer.door
    .authorize(bank.organizationId, {
      card: await issuer.cardBook.find(bank.organizationId, cardId),
      requestType: "Authorization",
      amountMinor: 5_00n,
      currency: "USD",
      merchant: { mid: "SHOP1", mcc: "5999", name: "Shop", city: "Town", country: "US" },
      entryMode: "Chip",
      isAdvice: true,
    })
    .finally(() => issuer.stop());
  const { transactionId } = transaction;
  const isListed = async (stage: string): Promise<boolean> => {
    const { body } = await bank.client.get(`/transactions?stage=${stage}`);
    return body.data.some(
      (each: { transactionId: string }) => each.transactionId === transactionId,
    );
  };
  expect(await read(transactionId)).toMatchObject({ stage: "Authorization", heldAmount: 0 });
  expect(await isListed("Authorization")).toBe(true);
  await payments.advance(40 * DAY_S);
  expect(await read(transactionId)).toMatchObject({ stage: "Expired", heldAmount: 0 });
  expect(await isListed("Expired")).toBe(true);
  expect((await payments.settle(transactionId)).body.data).toMatchObject({ settledAmount: 5 });
});

test("a hold is given back after 7 days, a pre-authorization after 31, and nothing before", async () => {
  const card = await bank.open({ balanceMinor: 100_00n });
  const hold = await buy(card.cardId, 60);
  const cash = await buy(card.cardId, 10, { requestType: "CashWithdrawal" });
  const pre = await buy(card.cardId, 30, { requestType: "PreAuthorization" });
  expect(decided(await payments.buy(card.cardId, 1))).toBe("116");
  await payments.advance(7 * DAY_S - 60);
  expect(await read(hold)).toMatchObject({ stage: "Authorization", heldAmount: 60 });
  await payments.advance(60);
  expect(await read(hold)).toMatchObject({
    stage: "Expired",
    approved: true,
    responseCode: "000",
    heldAmount: 0,
    settledAmount: 0,
    reversedAmount: 0,
    events: [
      { requestType: "Authorization", amount: 60 },
      { requestType: "Expiry", amount: 60, responseCode: "000" },
    ],
  });
  expect(await read(cash)).toMatchObject({ stage: "Expired" });
  expect(await read(pre)).toMatchObject({ stage: "Authorization", heldAmount: 30 });
  const { body } = await bank.client.get(`/cards/${card.cardId}`);
  expect(body.data).toMatchObject({ balance: 100, availableBalance: 70, heldAmount: 30 });
  await payments.advance(24 * DAY_S - 60);
  expect(await read(pre)).toMatchObject({ stage: "Authorization" });
  await payments.advance(60);
  expect(await read(pre)).toMatchObject({ stage: "Expired", heldAmount: 0 });
  const events = await bank.eventsOf(card.cardId);
  expect(events.map(({ eventType }) => eventType)).toEqual([
    ...Array.from({ length: 3 }, () => "transaction.authorized"),
    "transaction.declined",
    ...Array.from({ length: 3 }, () => "transaction.expired"),
  ]);
  expect(events.at(-1)?.data).toMatchObject({ transactionId: pre, cardBalance: 100 });
  await bank.expectProof();
});

test("only what is still held expires, and what was settled stays settled", async () => {
  const card = await bank.open({ balanceMinor: 100_00n });
  const settled = await buy(card.cardId, 10);
  await payments.settle(settled);
  const inPart = await buy(card.cardId, 20);
  await payments.settle(inPart, { amount: 5, partial: true });
  const less = await buy(card.cardId, 30);
  await payments.reverse(less, { amount: 25 });
  const verified = await buy(card.cardId, 0);
  await payments.advance(7 * DAY_S);
  expect(await read(settled)).toMatchObject({ stage: "Settlement", settledAmount: 10 });
  expect(await read(inPart)).toMatchObject({
    stage: "Settlement",
    settledAmount: 5,
    heldAmount: 0,
  });
  expect(await read(less)).toMatchObject({ stage: "Expired", reversedAmount: 25, heldAmount: 0 });
  expect(await read(verified)).toMatchObject({ stage: "Authorization", heldAmount: 0 });
  const { body } = await bank.client.get(`/cards/${card.cardId}`);
  expect(body.data).toMatchObject({ balance: 85, availableBalance: 85, heldAmount: 0 });
});

test("what expired settles on the same record all the same", async () => {
  const card = await bank.open({ balanceMinor: 100_00n });
  const late = await buy(card.cardId, 60);
  await payments.advance(7 * DAY_S);
  expect((await payments.reverse(late)).body.responseCode).toBe("133");
  const { body } = await payments.settle(late);
  expect(body.data).toMatchObject({
    stage: "Settlement",
    settledAmount: 60,
    overCaptured: false,
    cardBalance: 40,
  });
});

test("the last hold of a terminated card takes its money to the wallet", async () => {
  const card = await bank.open({ balanceMinor: 100_00n });
  await buy(card.cardId, 60);
  await bank.client.post(`/cards/${card.cardId}/terminate`, {});
  const walletId = await bank.walletId();
  const before = await bank.balanceOf(walletId);
  await payments.advance(7 * DAY_S);
  expect(await bank.balanceOf(card.accountId)).toBe(0n);
  expect(await bank.balanceOf(walletId)).toBe(before + 100_00n);
  const [, , expired] = await bank.eventsOf(card.cardId);
  expect(expired).toMatchObject({
    eventType: "transaction.expired",
    data: { cardBalance: 0, payout: { type: "TerminationPayout", amount: 100 } },
  });
  await bank.expectProof();
});

test("hundreds of holds expire, each once", async () => {
  const cards = await Promise.all(
    Array.from({ length: 5 }, () => bank.open({ balanceMinor: 10_000_00n })),
  );
  await Promise.all(
    Array.from({ length: 300 }, (_, n) => buy(cards[n % cards.length]?.cardId ?? "", 1)),
  );
  await payments.advance(7 * DAY_S);
  const held = async () => {
    const { rows } = await bank.pool.query("select sum(held_minor) as held from accounts");
    return Number(rows[0].held);
  };
  await until("nothing is held any more", async () => (await held()) === 0);
  for (const { cardId } of cards) {
    const events = await bank.eventsOf(cardId);
    expect(events.filter(({ eventType }) => eventType === "transaction.expired")).toHaveLength(60);
  }
  await bank.expectProof();
});

test("what a process that died was sweeping expires when its lease is over", async () => {
  const { cardId } = await bank.open({ balanceMinor: 10_00n });
  const transactionId = await buy(cardId, 4);
  await bank.pool.query("update hold_sweeps set lease_until = clock_timestamp()");
  await payments.advance(7 * DAY_S);
  await until("the hold is over", async () => (await read(transactionId)).stage === "Expired");
});

test("a sweep that looks at few at a time misses none", async () => {
  const { cardId } = await bank.open({ balanceMinor: 100_00n });
  const held: string[] = [];
  for (let n = 0; n < 9; n++) {
    const transactionId = await buy(cardId, 1);
    if (n % 3 === 1) await payments.reverse(transactionId);
    else held.push(transactionId);
  }
  const { organizationId } = bank;
  const found: string[] = [];
  let sweep = { organizationId, holdDays: 7, sweptTo: held[0] ?? "", end: "txn_~", isDone: false };
  while (!sweep.isDone) {
    const sightings = await lookThrough(bank.pool, [sweep], new Date(9e12), 2);
    found.push(...sightings.flatMap((seen) => (seen.isHeld ? [seen.transactionId] : [])));
    sweep = advance(sweep, sightings, new Set());
  }
  // Each look begins with the last one of the look before.
  expect([...new Set(found)]).toEqual(held);
  await payments.advance(7 * DAY_S);
});

test("a hold is not passed where the clock goes back before it is let go", async () => {
  const { cardId } = await bank.open({ balanceMinor: 10_00n });
  const transactionId = await buy(cardId, 4);
  const clock = new ServiceClock();
  const issuer = await openIssuer(bank.service.databaseUrl, clock);
  issuer.feed.on("clockOffsetMs", (offsetMs) => clock.follow(offsetMs));
  const nowMs = () => clock.nowMs() + 8 * DAY_S * 1_000;
  const ahead = { nowMs, now: () => new Date(nowMs()) };
  const log = createLog({ level: "silent" });
  // The engine has another clock than the sweep, as after a step back between the two.
  await new HoldExpiry({ ...issuer, clock: ahead, log, underWayMs: 0 })
    .catchUp()
    .finally(() => issuer.stop());
  expect(await read(transactionId)).toMatchObject({ stage: "Authorization", heldAmount: 4 });
  await payments.advance(8 * DAY_S);
  await until("the hold is over", async () => (await read(transactionId)).stage === "Expired");
  await bank.expectProof();
});

test("a sweep reads on where it ended, and what was swept is not read again", async () => {
  const clock = new ServiceClock();
  const issuer = await openIssuer(bank.service.databaseUrl, clock);
  issuer.feed.on("clockOffsetMs", (offsetMs) => clock.follow(offsetMs));
  const log = createLog({ level: "silent" });
  // As after a while without a jump of the clock.
  await new HoldExpiry({ ...issuer, log, underWayMs: 0 }).catchUp().finally(() => issuer.stop());
  const { rows } = await bank.pool.query(
    `select hold_days as days, swept_to as "sweptTo",
            swept_to > (select max(transaction_id) from transactions where stage = 'Expired'
                           and expires_at - created_at = make_interval(days => hold_days)) as "isPast",
            lease_until as lease
       from hold_sweeps where organization_id = $1 order by hold_days`,
    [bank.organizationId],
  );
  expect(rows).toMatchObject([
    { days: 7, isPast: true, lease: null },
    { days: 31, lease: null },
  ]);
});
