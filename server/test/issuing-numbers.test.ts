import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { luhnDigit } from "../src/cards/pan.ts";
import { rotateKeys } from "../src/identity/rotate-keys.ts";
import { becomes, expectRefusal, verdict } from "./harness/answers.ts";
import { type Bank, openBank, tally } from "./harness/bank.ts";
import { openCustomer } from "./harness/customers.ts";
import { openOperator } from "./harness/operator.ts";

/** The card numbers that are drawn next; when they are used up, chance draws on. */
const drawn = vi.hoisted((): { next: string[]; count: number } => ({ next: [], count: 0 }));

vi.mock("../src/cards/pan.ts", async (original) => {
  const actual = await original<typeof import("../src/cards/pan.ts")>();
  const newPan: typeof actual.newPan = (...input) => {
    drawn.count += 1;
    return drawn.next.shift() ?? actual.newPan(...input);
  };
  return { ...actual, newPan };
});

let bank: Bank;
let customerId: string;
beforeAll(async () => {
  bank = await openBank();
  customerId = await openCustomer(bank.pool, bank.organizationId);
});
afterAll(() => bank.stop());
beforeEach(() => {
  drawn.next = [];
  drawn.count = 0;
});

const issue = () => bank.client.post("/cards/retail", { customerId, initialBalance: 1 });

const panOf = async (cardId: string): Promise<string> =>
  (await bank.client.get(`/cards/${cardId}/secure`)).body.data.pan;

/** A number that no other test uses. */
function number(n: number): string {
  const digits = `411111${String(n).padStart(9, "0")}`;
  return digits + luhnDigit(digits);
}

test("a number that a card has is not drawn again", async () => {
  drawn.next = [number(1), number(1), number(1), number(2)];
  const [first, second] = [await issue(), await issue()];
  expect([verdict(first), verdict(second)]).toEqual(["200/000", "200/000"]);
  expect(await panOf(first.body.data.cardId)).toBe(number(1));
  expect(await panOf(second.body.data.cardId)).toBe(number(2));
  expect(drawn.count).toBe(4);
});

test("of many that draw one number at once each gets its own, and nobody else is hurt", async () => {
  drawn.next = [...Array.from({ length: 10 }, () => number(3)), number(4), number(5), number(6)];
  const answers = await Promise.all(Array.from({ length: 20 }, issue));
  expect(tally(answers)).toEqual({ "200/000": 20 });
  const pans = await Promise.all(answers.map(({ body }) => panOf(body.data.cardId)));
  expect(new Set(pans).size).toBe(20);
  expect(pans).toEqual(expect.arrayContaining([3, 4, 5, 6].map(number)));
  await bank.expectProof();
});

test("when there is no number left the card is refused, not waited for", async () => {
  drawn.next = [number(7)];
  await issue();
  drawn.next = Array.from({ length: 100 }, () => number(7));
  expectRefusal(await issue(), "422/310");
  expect(drawn.next.length).toBe(80);
  await bank.expectProof();
});

test("a number from before a rotation of the keys is taken too", async () => {
  drawn.next = [number(8)];
  await issue();
  const operator = await openOperator(bank.service);
  await rotateKeys(operator, 3600);
  await operator.close();
  await becomes(async () => hashKeyOf((await issue()).body.data.cardId), 2);

  drawn.next = [number(8), number(9)];
  const { body } = await issue();
  expect(await panOf(body.data.cardId)).toBe(number(9));
});

async function hashKeyOf(cardId: string): Promise<number> {
  const { rows } = await bank.pool.query(
    "select pan_hash_key as version from card_secrets where card_id = $1",
    [cardId],
  );
  return rows[0].version;
}
