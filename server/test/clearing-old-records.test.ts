import { describe, expect, test } from "vitest";
import type { Terminal } from "../src/network/acquirer/terminal.ts";
import { clearingService, lineOf } from "./harness/clearing.ts";
import type { IssuedCard, NetworkSandbox } from "./harness/network.ts";

let network: NetworkSandbox;
let terminal: Terminal;
const { ask, fileOf, importLines, missingAfter } = clearingService((test) => {
  ({ network, terminal } = test);
});

describe("what was recorded before messages were with their amounts", () => {
  /** As migration 0011 found it; reversals of what was settled at once were on record as refunds then. */
  const backdate = async ({ cardId }: IssuedCard): Promise<void> => {
    const ofCard = "transaction_id in (select transaction_id from transactions where card_id = $1)";
    for (const change of [
      "network_messages set request_type = 'Refund' where stage = 'Refund' and",
      "network_messages set amount_minor = null, confirms = false where",
      "clearing_lines set amount_minor = null where",
    ]) {
      await network.pool.query(`update ${change} ${ofCard}`, [cardId]);
    }
  };
  const missingOf = async (): Promise<string[]> => {
    const stranger = lineOf(
      terminal.purchase(await network.issue(100), 100n),
      await network.issue(1),
    );
    return missingAfter({ ...stranger, amount: "1.00" });
  };

  test("a message after its line moves nothing, and the next is another presentment", async () => {
    const card = await network.issue(100);
    const purchase = await ask(terminal.purchase(card, 2_000n));
    const abroad = await ask(terminal.purchase(card, 1_000n, { currency: "EUR" }));
    await importLines(
      fileOf(
        lineOf(purchase, card),
        lineOf(purchase, card, { kind: "Refund", amount: "5.00" }),
        lineOf(abroad, card, { amount: "4.00", currency: "EUR", partial: "true" }),
        lineOf(abroad, card, { amount: "6.00", currency: "EUR" }),
      ),
    );
    const [balance] = await network.balanceOf(card);
    await backdate(card);
    await ask(terminal.refund(purchase, 500n, "USD"));
    await ask(terminal.completion(purchase, 2_000n, "USD"));
    for (const part of [600n, 400n]) await ask(terminal.completion(abroad, part, "EUR"));
    expect(await network.balanceOf(card)).toEqual([balance, 0]);
    expect(await missingOf()).toEqual([]);
    await ask(terminal.completion(purchase, 2_000n, "USD"));
    expect(await network.balanceOf(card)).toEqual([balance - 20, 0]);
  });

  test("a message that had confirmed its line stays its confirmation", async () => {
    const card = await network.issue(100);
    const purchase = await ask(terminal.purchase(card, 2_000n));
    await importLines(fileOf(lineOf(purchase, card)));
    await ask(terminal.completion(purchase, 2_000n, "USD"));
    await backdate(card);
    expect(await missingOf()).toEqual([]);
    const { outcomes } = await importLines(fileOf(lineOf(purchase, card, { mcc: "5411" })));
    expect(outcomes).toEqual(["1 AmountDiffers posted"]);
    await ask(terminal.completion(purchase, 2_000n, "USD"));
    await ask(terminal.completion(purchase, 2_000n, "USD"));
    expect(await network.balanceOf(card)).toEqual([40, 0]);
  });

  test("a line is compared with what its message was about, and what is missing is told with it", async () => {
    const card = await network.issue(100);
    const purchase = await ask(terminal.purchase(card, 2_000n));
    await ask(terminal.completion(purchase, 800n, "USD"));
    await ask(terminal.completion(purchase, 1_200n, "USD"));
    await ask(terminal.refund(purchase, 300n, "USD"));
    const single = await ask(terminal.purchase(card, 700n, { mti: "0200" }));
    const givenBack = await ask(terminal.purchase(card, 900n, { mti: "0200" }));
    await backdate(card);
    await ask(terminal.reversal(givenBack));
    expect(await missingOf()).toEqual([
      "Settlement 8.00",
      "Settlement 12.00",
      "Refund 3.00",
      "Settlement 7.00",
    ]);
    const lines = [
      lineOf(purchase, card, { amount: "12.00" }),
      lineOf(purchase, card, { amount: "9.00" }),
      lineOf(single, card, { amount: "7.00" }),
    ];
    expect((await importLines(fileOf(...lines))).outcomes.slice(0, 3)).toEqual([
      "1 Matched confirmed",
      "2 AmountDiffers confirmed",
      "3 Matched confirmed",
    ]);
  });

  test("the reversal of a single message is answered as it was, and a refund of its name is another", async () => {
    const card = await network.issue(100);
    const whole = await ask(terminal.purchase(card, 2_000n, { mti: "0200" }));
    const inPart = await ask(terminal.purchase(card, 2_000n, { mti: "0200" }));
    const reversals = [
      terminal.reversal(whole),
      terminal.reversal(inPart, { remainingMinor: 500n }),
    ];
    for (const reversal of reversals) await ask(reversal);
    await backdate(card);
    for (const reversal of reversals) await ask(terminal.repeat(reversal));
    expect(await network.balanceOf(card)).toEqual([95, 0]);
    const refund = await ask(terminal.refund(inPart, 100n, "USD"));
    const { 7: transmitted = "", 11: trace = "" } = refund.fields;
    const named = terminal.reversal(inPart);
    await ask({ ...named, fields: { ...named.fields, 7: transmitted, 11: trace } });
    expect(await network.balanceOf(card)).toEqual([100, 0]);
  });
});
