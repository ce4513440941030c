import { describe, expect, test } from "vitest";
import type { AcquirerConnection } from "../src/network/acquirer/connection.ts";
import { Terminal } from "../src/network/acquirer/terminal.ts";
import type { Fields, Message } from "../src/network/iso8583/fields.ts";
import { gatewayService } from "./harness/gateway-service.ts";
import { availableIn, heard, type IssuedCard, type NetworkSandbox } from "./harness/network.ts";

let network: NetworkSandbox;
let acquirer: AcquirerConnection;
let terminal: Terminal;
gatewayService((open) => {
  ({ network, acquirer, terminal } = open);
});

const sameRetrieval = ({ fields }: Message): Fields => ({ 37: fields[37] ?? "" });

function withoutOriginal({ mti, fields }: Message): Message {
  const { 90: _original, ...rest } = fields;
  return { mti, fields: rest };
}

describe("0220", () => {
  test("a completion settles what it names, or what has its DE 37", async () => {
    const card = await network.issue(100);
    const first = terminal.purchase(card, 2_000n);
    await acquirer.ask(first);
    const answer = await acquirer.ask(terminal.completion(first, 1_500n, "USD"));
    expect(answer.mti).toBe("0230");
    expect(heard(answer)).toBe("00");
    expect(availableIn(answer)).toBe(8_500n);
    const second = terminal.purchase(card, 2_000n);
    await acquirer.ask(second);
    const { 90: _original, ...without } = terminal.completion(second, 2_500n, "USD").fields;
    expect(heard(await acquirer.ask({ mti: "0220", fields: without }))).toBe("00");
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { stage: "Settlement", settledAmount: 25, overCaptured: true, heldAmount: 0 },
      { stage: "Settlement", settledAmount: 15, overCaptured: false, heldAmount: 0 },
      {},
    ]);
  });

  test("without an authorization, or after a decline, it is a force post", async () => {
    const card = await network.issue(10);
    const unheard = terminal.purchase(card, 1_500n);
    const post = terminal.completion(unheard, 1_500n, "USD");
    expect(heard(await acquirer.ask(post))).toBe("00");
    const declined = terminal.purchase(card, 100_000n);
    expect(heard(await acquirer.ask(declined))).toBe("51");
    expect(heard(await acquirer.ask(terminal.completion(declined, 500n, "USD")))).toBe("00");
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { type: "Settlement", stage: "Settlement", settledAmount: 5 },
      { type: "Authorization", stage: "Declined" },
      { type: "Settlement", stage: "Settlement", settledAmount: 15 },
      {},
    ]);
    expect(await network.get(`/cards/${card.cardId}`)).toMatchObject({ balance: -10 });
  });

  test("a force post by a merchant without a country is at home, and costs nothing extra", async () => {
    const card = await network.issue(100);
    const { fields } = terminal.completion(terminal.purchase(card, 5_000n), 5_000n, "USD");
    const { 19: _country, ...bare } = fields;
    const post = { mti: "0220", fields: { ...bare, 43: "SHOP".padEnd(40) } } as const;
    expect(heard(await acquirer.ask(post))).toBe("00");
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { type: "Settlement", merchant: { name: "SHOP", country: "US" } },
      {},
    ]);
    expect(await network.balanceOf(card)).toEqual([50, 0]);
  });

  test("of several with one DE 37, a completion settles what is held, and a refund follows what is settled", async () => {
    const card = await network.issue(100);
    const first = terminal.purchase(card, 2_000n);
    await acquirer.ask(first);
    const again = terminal.purchase(card, 2_000n, { fields: sameRetrieval(first) });
    await acquirer.ask(again);
    expect(heard(await acquirer.ask(terminal.reversal(again)))).toBe("00");
    const completion = withoutOriginal(terminal.completion(first, 2_000n, "USD"));
    expect(heard(await acquirer.ask(completion))).toBe("00");
    const third = terminal.purchase(card, 1_000n, { fields: sameRetrieval(first) });
    await acquirer.ask(third);
    const refund = withoutOriginal(terminal.refund(first, 500n, "USD"));
    expect(heard(await acquirer.ask(refund))).toBe("00");
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { stage: "Authorization", heldAmount: 10 },
      { stage: "Reversal", settledAmount: 0, overCaptured: false },
      { stage: "Refund", settledAmount: 20, refundedAmount: 5, heldAmount: 0 },
      {},
    ]);
  });

  test.each(["0100", "0120"] as const)(
    "a completion that is sent right behind its %s settles that",
    async (mti) => {
      const card = await network.issue(100);
      const purchase = terminal.purchase(card, 2_000n, { mti });
      const completion = terminal.completion(purchase, 2_000n, "USD");
      const answers = await Promise.all([acquirer.ask(purchase), acquirer.ask(completion)]);
      expect(answers.map(heard)).toEqual(["00", "00"]);
      expect(await network.transactionsOf(card.cardId)).toMatchObject([
        { type: "Authorization", stage: "Settlement", settledAmount: 20, heldAmount: 0 },
        {},
      ]);
      expect(await network.balanceOf(card)).toEqual([80, 0]);
    },
  );

  test("a refund that is sent right behind its 0200 follows that", async () => {
    const card = await network.issue(100);
    const purchase = terminal.purchase(card, 2_000n, { mti: "0200" });
    const refund = terminal.refund(purchase, 500n, "USD");
    const answers = await Promise.all([acquirer.ask(purchase), acquirer.ask(refund)]);
    expect(answers.map(heard)).toEqual(["00", "00"]);
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { type: "Authorization", stage: "Refund", settledAmount: 20, refundedAmount: 5 },
      {},
    ]);
  });

  test("another currency than the authorization's is posted on its own", async () => {
    const card = await network.issue(100);
    const purchase = terminal.purchase(card, 1_000n);
    await acquirer.ask(purchase);
    expect(heard(await acquirer.ask(terminal.completion(purchase, 1_000n, "EUR")))).toBe("00");
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { type: "Settlement", settledAmount: 10.8 },
      { type: "Authorization", heldAmount: 10 },
      {},
    ]);
  });

  test("refunds follow what was settled; alone they credit the card", async () => {
    const card = await network.issue(100);
    const purchase = terminal.purchase(card, 2_000n);
    await acquirer.ask(purchase);
    expect(heard(await acquirer.ask(terminal.refund(purchase, 2_000n, "USD")))).toBe("64");
    await acquirer.ask(terminal.completion(purchase, 2_000n, "USD"));
    expect(heard(await acquirer.ask(terminal.refund(purchase, 2_001n, "USD")))).toBe("64");
    const answer = await acquirer.ask(terminal.refund(purchase, 2_000n, "USD"));
    expect(heard(answer)).toBe("00");
    expect(availableIn(answer)).toBe(10_000n);
    const unheard = terminal.purchase(card, 1_500n);
    expect(availableIn(await acquirer.ask(terminal.refund(unheard, 700n, "USD")))).toBe(10_700n);
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { type: "Refund", stage: "Refund", refundedAmount: 7 },
      { type: "Authorization", stage: "Refund", refundedAmount: 20 },
      {},
    ]);
  });

  test.each([
    ["an amount of 0", { 4: "000000000000" }, "13"],
    ["a kind that is not known", { 3: "310000" }, "12"],
    ["a currency without a rate", { 49: "392" }, "57"],
    ["a number that no card has", { 2: "4111111111111111" }, "14"],
  ])("%s is refused", async (_what, change, response) => {
    const card = await network.issue(10);
    const { fields } = terminal.completion(terminal.purchase(card, 100n), 100n, "USD");
    const request = { mti: "0220", fields: { ...fields, ...change } } as const;
    expect(heard(await acquirer.ask(request))).toBe(response);
    expect(await network.transactionsOf(card.cardId)).toHaveLength(1);
  });
});

describe.each(["0400", "0420"] as const)("%s", (mti) => {
  test("a reversal releases what is held, once", async () => {
    const card = await network.issue(100);
    const purchase = terminal.purchase(card, 2_000n);
    await acquirer.ask(purchase);
    const answer = await acquirer.ask(terminal.reversal(purchase, { mti }));
    expect(answer.mti).toBe(mti === "0400" ? "0410" : "0430");
    expect(heard(answer)).toBe("00");
    expect(availableIn(answer)).toBe(10_000n);
    expect(heard(await acquirer.ask(terminal.reversal(purchase, { mti })))).toBe("21");
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { stage: "Reversal", reversedAmount: 20, heldAmount: 0 },
      {},
    ]);
  });

  test("DE 95 says what remains", async () => {
    const card = await network.issue(100);
    const purchase = terminal.purchase(card, 2_000n);
    await acquirer.ask(purchase);
    const toRemain = (remainingMinor: bigint) =>
      acquirer.ask(terminal.reversal(purchase, { mti, remainingMinor }));
    expect(availableIn(await toRemain(1_500n))).toBe(8_500n);
    expect(availableIn(await toRemain(500n))).toBe(9_500n);
    expect(heard(await toRemain(500n))).toBe("13");
    expect(heard(await toRemain(501n))).toBe("64");
    const [transaction] = await network.transactionsOf(card.cardId);
    expect(transaction).toMatchObject({ heldAmount: 5, reversedAmount: 15 });
    expect(
      transaction.events.map(({ requestType }: { requestType: string }) => requestType),
    ).toEqual(["Authorization", "PartialReversal", "PartialReversal"]);
  });

  test("DE 95 is in the payment's currency, whatever it is billed in", async () => {
    const card = await network.issue(100);
    const purchase = terminal.purchase(card, 1_000n, { currency: "EUR" });
    await acquirer.ask(purchase);
    const partly = await acquirer.ask(terminal.reversal(purchase, { mti, remainingMinor: 400n }));
    expect(availableIn(partly)).toBe(10_000n - 432n);
    const dollars = terminal.reversal(purchase, { mti, remainingMinor: 200n });
    const changed = { mti, fields: { ...dollars.fields, 49: "840" } };
    expect(heard(await acquirer.ask(changed))).toBe("12");
    expect(await network.transactionsOf(card.cardId)).toMatchObject([
      { amount: 10, heldAmount: 4.32, reversedAmount: 6.48 },
      {},
    ]);
  });

  test.each(["before", "after"])(
    "without DE 95 names no amount, whatever DE 49 says, %s its original",
    async (when) => {
      const card = await network.issue(100);
      const purchase = terminal.purchase(card, 1_000n, { currency: "EUR" });
      const { fields } = terminal.reversal(purchase, { mti });
      const inDollars = { mti, fields: { ...fields, 49: "840" } };
      const messages = when === "before" ? [inDollars, purchase] : [purchase, inDollars];
      const answers: (string | undefined)[] = [];
      for (const message of messages) answers.push(heard(await acquirer.ask(message)));
      expect(answers).toEqual(when === "before" ? ["00", "21"] : ["00", "00"]);
      expect(await network.balanceOf(card)).toEqual([100, 0]);
    },
  );

  test("without DE 90 its original is the payment with its DE 37", async () => {
    const card = await network.issue(100);
    const purchase = terminal.purchase(card, 2_000n);
    await acquirer.ask(purchase);
    const { 90: _original, ...without } = terminal.reversal(purchase, { mti }).fields;
    expect(availableIn(await acquirer.ask({ mti, fields: without }))).toBe(10_000n);
  });

  test("of several with one DE 37 it takes back what is held", async () => {
    const card = await network.issue(100);
    const purchase = terminal.purchase(card, 6_000n);
    await acquirer.ask(purchase);
    const again = terminal.purchase(card, 6_000n, { fields: sameRetrieval(purchase) });
    expect(heard(await acquirer.ask(again))).toBe("51");
    // In another currency it is posted on its own, under the same DE 37.
    const elsewhere = terminal.completion(purchase, 100n, "EUR");
    expect(heard(await acquirer.ask(elsewhere))).toBe("00");
    const reversal = withoutOriginal(terminal.reversal(purchase, { mti }));
    expect(heard(await acquirer.ask(reversal))).toBe("00");
    expect(await network.balanceOf(card)).toEqual([98.92, 0]);
  });

  test("without DE 90 it takes back once what it took back, whatever has its DE 37 by then", async () => {
    const card = await network.issue(100);
    const purchase = terminal.purchase(card, 2_000n);
    await acquirer.ask(purchase);
    const reversal = withoutOriginal(terminal.reversal(purchase, { mti }));
    expect(heard(await acquirer.ask(reversal))).toBe("00");
    const second = withoutOriginal(terminal.reversal(purchase, { mti }));
    expect(heard(await acquirer.ask(second))).toBe("21");
    const another = terminal.purchase(card, 1_000n, { fields: sameRetrieval(purchase) });
    expect(heard(await acquirer.ask(another))).toBe("00");
    expect(heard(await acquirer.ask(terminal.repeat(reversal)))).toBe("00");
    expect(heard(await acquirer.ask(terminal.repeat(second)))).toBe("21");
    expect(await network.balanceOf(card)).toEqual([100, 10]);
  });

  test("with DE 90 nothing else of the same DE 37 is taken back", async () => {
    const card = await network.issue(100);
    const purchase = terminal.purchase(card, 2_000n);
    await acquirer.ask(purchase);
    const another = terminal.purchase(card, 1_000n, { fields: { 37: purchase.fields[37] ?? "" } });
    expect(heard(await acquirer.ask(terminal.reversal(another, { mti })))).toBe("00");
    expect(await network.get(`/cards/${card.cardId}`)).toMatchObject({ heldAmount: 20 });
    expect(heard(await acquirer.ask(another))).toBe("21");
  });

  test("with DE 90 nothing of another acquirer is taken back or declined, whichever comes first", async () => {
    const card = await network.issue(100);
    const mine = terminal.purchase(card, 2_000n);
    const { 7: transmitted = "", 11: trace = "" } = mine.fields;
    const others = new Terminal({ acquirer: "777777" });
    const twin = others.purchase(card, 1_000n, { fields: { 7: transmitted, 11: trace } });
    expect(heard(await acquirer.ask(mine))).toBe("00");
    expect(heard(await acquirer.ask(others.reversal(twin, { mti })))).toBe("00");
    expect(await network.balanceOf(card)).toEqual([100, 20]);
    expect(heard(await acquirer.ask(twin))).toBe("21");

    const second = await network.issue(100);
    const late = others.purchase(second, 1_000n, { fields: { 7: transmitted, 11: trace } });
    expect(heard(await acquirer.ask(others.reversal(late, { mti })))).toBe("00");
    const own = terminal.purchase(second, 2_000n, { fields: { 7: transmitted, 11: trace } });
    expect(heard(await acquirer.ask(own))).toBe("00");
    expect(heard(await acquirer.ask(late))).toBe("21");
    expect(await network.balanceOf(second)).toEqual([100, 20]);
  });

  test("without DE 90 the sender's own payment is taken back, not another's of the same DE 37", async () => {
    const card = await network.issue(100);
    const mine = terminal.purchase(card, 2_000n);
    const others = new Terminal({ acquirer: "777777" });
    expect(heard(await acquirer.ask(mine))).toBe("00");
    const twin = others.purchase(card, 1_000n, { fields: sameRetrieval(mine) });
    expect(heard(await acquirer.ask(twin))).toBe("00");
    const reversal = withoutOriginal(terminal.reversal(mine, { mti }));
    expect(heard(await acquirer.ask(reversal))).toBe("00");
    expect(await network.balanceOf(card)).toEqual([100, 10]);
  });

  test("one that comes before its original without DE 90 declines one payment of that DE 37, and no later try", async () => {
    const card = await network.issue(100);
    const tries = [terminal.purchase(card, 2_000n)];
    const [first] = tries as [Message];
    for (let n = 0; n < 2; n++) {
      tries.push(terminal.purchase(card, 1_000n, { fields: sameRetrieval(first) }));
    }
    const reversals = [1, 2].map(() => withoutOriginal(terminal.reversal(first, { mti })));
    for (const reversal of [...reversals, ...reversals]) {
      expect(heard(await acquirer.ask(reversal))).toBe("00");
    }
    const answers = await Promise.all(tries.map((purchase) => acquirer.ask(purchase)));
    expect(answers.map(heard).sort()).toEqual(["00", "21", "21"]);
    const again = await Promise.all(tries.map((purchase) => acquirer.ask(purchase)));
    expect(again.map(heard)).toEqual(answers.map(heard));
  });

  test("one that comes early without DE 90 is for its sender's payment, whoever else uses that DE 37 first", async () => {
    const card = await network.issue(100);
    const mine = terminal.purchase(card, 1_000n);
    expect(heard(await acquirer.ask(withoutOriginal(terminal.reversal(mine, { mti }))))).toBe("00");
    const others = new Terminal({ acquirer: "777777" });
    const twin = others.purchase(card, 2_000n, { fields: sameRetrieval(mine) });
    expect(heard(await acquirer.ask(twin))).toBe("00");
    expect(heard(await acquirer.ask(mine))).toBe("21");
    expect(await network.balanceOf(card)).toEqual([100, 20]);
  });

  test("one that comes early without DE 90 is used up by its original, whatever that is declined for", async () => {
    const card = await network.issue(100);
    const tooMuch = terminal.purchase(card, 20_000n);
    const reversal = withoutOriginal(terminal.reversal(tooMuch, { mti }));
    expect(heard(await acquirer.ask(reversal))).toBe("00");
    expect(heard(await acquirer.ask(tooMuch))).toBe("51");
    const again = terminal.purchase(card, 1_000n, { fields: sameRetrieval(tooMuch) });
    expect(heard(await acquirer.ask(again))).toBe("00");
    expect(await network.balanceOf(card)).toEqual([100, 10]);
  });

  test("where DE 90 does not say whose its original is, it is the sender's, whichever comes first", async () => {
    const others = new Terminal({ acquirer: "777777" });
    const twins = (card: IssuedCard) => {
      const mine = terminal.purchase(card, 1_000n);
      const { 7: transmitted = "", 11: trace = "" } = mine.fields;
      const twin = others.purchase(card, 3_000n, { fields: { 7: transmitted, 11: trace } });
      const reversal = terminal.reversal(mine, { mti });
      const told = reversal.fields[90] ?? "";
      const original = `${told.slice(0, 20)}${"0".repeat(22)}`;
      return { mine, twin, reversal: { mti, fields: { ...reversal.fields, 90: original } } };
    };
    const card = await network.issue(100);
    const late = twins(card);
    await acquirer.ask(late.mine);
    await acquirer.ask(late.twin);
    expect(heard(await acquirer.ask(late.reversal))).toBe("00");
    expect(await network.balanceOf(card)).toEqual([100, 30]);

    const second = await network.issue(100);
    const early = twins(second);
    expect(heard(await acquirer.ask(early.reversal))).toBe("00");
    expect(heard(await acquirer.ask(early.twin))).toBe("00");
    expect(heard(await acquirer.ask(early.mine))).toBe("21");
    expect(await network.balanceOf(second)).toEqual([100, 30]);
  });

  test("what is settled by then is not reversed", async () => {
    const card = await network.issue(100);
    const purchase = terminal.purchase(card, 2_000n);
    await acquirer.ask(purchase);
    const completion = terminal.completion(purchase, 2_000n, "USD");
    await acquirer.ask(completion);
    expect(heard(await acquirer.ask(terminal.reversal(purchase, { mti })))).toBe("12");
    expect(heard(await acquirer.ask(terminal.reversal(completion, { mti })))).toBe("12");
  });

  test("of what was captured it is refused before that has come as after it", async () => {
    const card = await network.issue(100);
    const forcePost = terminal.completion(terminal.purchase(card, 2_000n), 2_000n, "USD");
    const reversal = () => acquirer.ask(terminal.reversal(forcePost, { mti }));
    expect(heard(await reversal())).toBe("12");
    expect(heard(await acquirer.ask(forcePost))).toBe("00");
    expect(heard(await reversal())).toBe("12");
    expect(await network.balanceOf(card)).toEqual([80, 0]);
  });

  test.each(["0100", "0200", "0120"] as const)(
    "one that comes before its %s is accepted, and that is declined",
    async (early) => {
      const card = await network.issue(100);
      const purchase = terminal.purchase(card, 2_000n, { mti: early });
      const reversal = terminal.reversal(purchase, { mti });
      expect(heard(await acquirer.ask(reversal))).toBe("00");
      expect(heard(await acquirer.ask(purchase))).toBe(early === "0120" ? "00" : "21");
      expect(heard(await acquirer.ask(terminal.repeat(reversal)))).toBe("00");
      expect(await network.transactionsOf(card.cardId)).toMatchObject([
        { stage: "Declined", responseCode: "175", heldAmount: 0 },
        {},
      ]);
      expect(heard(await acquirer.ask(terminal.purchase(card, 2_000n)))).toBe("00");
    },
  );
});
