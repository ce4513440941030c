import { describe, expect, test } from "vitest";
import type { Card } from "../src/cards/card.ts";
import { expectRefusal, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { tally } from "./harness/bank.ts";
import type { Payments } from "./harness/payments.ts";
import { type Shop, shopService } from "./harness/shop.ts";

let bank: Shop["bank"];
let payments: Shop["payments"];
let open: Shop["open"];
let buy: Shop["buy"];
let cardOf: Shop["cardOf"];

shopService((shop) => {
  ({ bank, payments, open, buy, cardOf } = shop);
});

const newName = () => `net-${newReference()}`;

describe("a message that repeats is answered again, with no second effect", () => {
  const settledOnce = async (card: Card) => {
    const id = await buy(card, 60);
    await payments.settle(id, { amount: 40, partial: true });
    return id;
  };

  test.each<[string, keyof Pick<Payments, "settle" | "reverse" | "refund">, object]>([
    ["settle", "settle", {}],
    ["settle in part", "settle", { amount: 5, partial: true }],
    ["reverse", "reverse", {}],
    ["reverse in part", "reverse", { amount: 5 }],
    ["refund", "refund", {}],
    ["refund in part", "refund", { amount: 5 }],
  ])("%s", async (_what, action, more) => {
    const card = await open(100_00n);
    const id = await settledOnce(card);
    const networkReference = newName();
    const first = await payments[action](id, { ...more, networkReference });
    expect(verdict(first)).toBe("200/000");
    const after = await cardOf(card);
    const again = await payments[action](id, { ...more, networkReference });
    expect(again.body.data).toEqual(first.body.data);
    const atOnce = await Promise.all(
      Array.from({ length: 20 }, () => payments[action](id, { ...more, networkReference })),
    );
    expect(tally(atOnce)).toEqual({ "200/000": 20 });
    expect(await cardOf(card)).toEqual(after);
    expect(await bank.eventsOf(card.cardId)).toHaveLength(3);
  });

  test.each(["forcePost", "refundUnlinked"] as const)("%s", async (post) => {
    const card = await open(100_00n);
    const networkReference = newName();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => payments[post](card.cardId, 10, { networkReference })),
    );
    expect(tally(answers)).toEqual({ "200/000": 20 });
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.data))).size).toBe(1);
    expect(await bank.eventsOf(card.cardId)).toHaveLength(1);
    const other = await open(100_00n);
    expectRefusal(await payments[post](other.cardId, 10, { networkReference }), "422/138");
  });

  test("the same name is another message where it is of another type", async () => {
    const card = await open(100_00n);
    const networkReference = newName();
    const id = await buy(card, 60, { networkReference });
    for (const [action, more] of [
      ["settle", { amount: 20, partial: true }],
      ["reverse", { amount: 10 }],
      ["refund", { amount: 5 }],
    ] as const) {
      expect(verdict(await payments[action](id, { ...more, networkReference }))).toBe("200/000");
    }
    expect(await cardOf(card)).toMatchObject({ balance: 85, heldAmount: 30 });
  });

  test("a part and the rest may be reversed under one name, since they are of different types", async () => {
    const card = await open(100_00n);
    const id = await buy(card, 60);
    const networkReference = newName();
    const part = { amount: 30, networkReference };
    for (const heldAmount of [30, 30]) {
      expect((await payments.reverse(id, part)).body.data).toMatchObject({ heldAmount });
    }
    for (const message of [{ networkReference }, { networkReference }, part]) {
      const reversed = await payments.reverse(id, message);
      expect(verdict(reversed)).toBe("200/000");
      expect(reversed.body.data).toMatchObject({ stage: "Reversal", reversedAmount: 60 });
    }
    expect(await bank.eventsOf(card.cardId)).toHaveLength(3);
  });

  test("an amount that is all that was held makes it a reversal of the whole", async () => {
    const card = await open(100_00n);
    const id = await buy(card, 60);
    const networkReference = newName();
    const first = await payments.reverse(id, { amount: 60, networkReference });
    for (const message of [{ networkReference }, { amount: 60, networkReference }]) {
      expect((await payments.reverse(id, message)).body.data).toEqual(first.body.data);
    }
  });

  test("the same name about another payment is refused, whichever way it comes", async () => {
    const card = await open(100_00n);
    const [first, second] = [await buy(card, 10), await buy(card, 10)];
    const networkReference = newName();
    await payments.settle(first, { networkReference });
    expectRefusal(await payments.settle(second, { networkReference }), "422/138");
    expectRefusal(await payments.forcePost(card.cardId, 10, { networkReference }), "422/138");
    const posted = newName();
    await payments.forcePost(card.cardId, 10, { networkReference: posted });
    expectRefusal(await payments.settle(second, { networkReference: posted }), "422/138");
    expect(await cardOf(card)).toMatchObject({ balance: 80, heldAmount: 10 });
  });

  test("a message that was refused left no trace: it is judged anew", async () => {
    const card = await open(100_00n);
    const id = await buy(card, 60);
    const networkReference = newName();
    expectRefusal(await payments.refund(id, { networkReference }), "422/235");
    await payments.settle(id);
    expect(verdict(await payments.refund(id, { networkReference }))).toBe("200/000");
  });
});

test("the books hold after all of this", () => bank.expectProof());
