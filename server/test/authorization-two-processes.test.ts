import { afterAll, beforeAll, expect, test } from "vitest";
import { newReference } from "./harness/api-client.ts";
import { type Bank, openBank, tally } from "./harness/bank.ts";
import { until } from "./harness/eventually.ts";
import { DAY_S, decided, type Payments, paymentsOf } from "./harness/payments.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let bank: Bank;
let second: TestService;
/** The network reaches both processes. */
let sides: [Payments, Payments];

beforeAll(async () => {
  bank = await openBank();
  second = await startTestService({ FLORIN_DATABASE_URL: bank.service.databaseUrl });
  sides = [paymentsOf(bank.client), paymentsOf(second.client)];
});

afterAll(async () => {
  await second.stop();
  await bank.stop();
});

const onBoth = <T>(count: number, act: (side: Payments) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => act(sides[n % 2 === 0 ? 0 : 1])));

test("purchases in both processes never spend more than there is", async () => {
  const { cardId, accountId } = await bank.open({ balanceMinor: 100_00n });
  const codes = (await onBoth(60, (side) => side.buy(cardId, 3))).map(decided);
  expect(codes.filter((code) => code === "000")).toHaveLength(33);
  expect(codes.filter((code) => code === "116")).toHaveLength(27);
  const { rows } = await bank.pool.query(
    "select held_minor as held from accounts where account_id = $1",
    [accountId],
  );
  expect(rows).toEqual([{ held: 99_00n }]);
});

test("a message that reaches both has one effect, also where it is about different cards", async () => {
  const cards = [
    await bank.open({ balanceMinor: 100_00n }),
    await bank.open({ balanceMinor: 100_00n }),
  ];
  const networkReference = `net-${newReference()}`;
  const same = await onBoth(20, (side) =>
    side.buy(cards[0]?.cardId ?? "", 30, { networkReference }),
  );
  expect(new Set(same.map(({ body }) => body.data.transactionId)).size).toBe(1);
  for (let round = 0; round < 10; round++) {
    const name = `net-${newReference()}`;
    const answers = await Promise.all(
      cards.map(({ cardId }, n) =>
        sides[n === 0 ? 0 : 1].forcePost(cardId, 1, { networkReference: name }),
      ),
    );
    expect(tally(answers)).toEqual({ "200/000": 1, "422/138": 1 });
  }
});

test("an unblock lets one purchase pass, whichever process it comes to", async () => {
  const { cardId } = await bank.open({ balanceMinor: 100_00n });
  await bank.client.post(`/cards/${cardId}/merchants/blacklist`, { mid: "BAD" });
  await second.client.post(`/cards/${cardId}/merchants/one-time-unblock`, { mid: "BAD" });
  const merchant = { mid: "BAD" };
  const codes = (await onBoth(20, (side) => side.buy(cardId, 1, { merchant }))).map(decided);
  expect(codes.filter((code) => code === "000")).toHaveLength(1);
});

test("both expire holds, and each hold expires once", async () => {
  const { cardId, accountId } = await bank.open({ balanceMinor: 1_000_00n });
  await onBoth(200, (side) => side.buy(cardId, 1));
  await sides[0].advance(7 * DAY_S);
  second.client.forgetToken();
  await until("nothing is held", async () => {
    const { rows } = await bank.pool.query(
      "select held_minor as held from accounts where account_id = $1",
      [accountId],
    );
    return rows[0].held === 0n;
  });
  const events = await bank.eventsOf(cardId);
  expect(events.filter(({ eventType }) => eventType === "transaction.expired")).toHaveLength(200);
  await bank.expectProof();
});
