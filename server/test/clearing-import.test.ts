import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AcquirerConnection } from "../src/network/acquirer/connection.ts";
import { Terminal } from "../src/network/acquirer/terminal.ts";
import type { Message } from "../src/network/iso8583/fields.ts";
import { CommandError } from "../src/operator/command.ts";
import { lineOf, openClearingDesk } from "./harness/clearing.ts";
import { accepted, type NetworkSandbox, startNetworkSandbox } from "./harness/network.ts";

let network: NetworkSandbox;
let acquirer: AcquirerConnection;
/** Each test is another acquirer, so that only its own payments can be missing. */
let terminal: Terminal;
let acquirerId = 100_000;
const desk = openClearingDesk(() => network);
const { fileOf, run, importLines, missingAfter } = desk;
beforeAll(async () => {
  network = await startNetworkSandbox();
  acquirer = await network.connect();
});
afterAll(async () => {
  expect(await network.problems()).toEqual([]);
  await network.stop();
  desk.close();
});

beforeAll(() => newAcquirer());
function newAcquirer(): void {
  acquirerId += 1;
  terminal = new Terminal({ acquirer: String(acquirerId) });
}

const ask = (message: Message): Promise<Message> => accepted(acquirer, message);

describe("what no message has settled", () => {
  beforeAll(newAcquirer);

  test("is posted: matched, with another amount, or without an authorization", async () => {
    const card = await network.issue(100);
    const [exact, more, part, rest, unheard] = [
      await ask(terminal.purchase(card, 2_000n)),
      await ask(terminal.purchase(card, 2_000n)),
      await ask(terminal.purchase(card, 2_000n)),
      await ask(terminal.purchase(card, 2_000n)),
      terminal.purchase(card, 2_000n),
    ];
    const file = fileOf(
      lineOf(exact, card),
      lineOf(more, card, { amount: "20.01" }),
      lineOf(part, card, { amount: "5.00", partial: "true" }),
      lineOf(part, card, { amount: "15.00", partial: "true" }),
      lineOf(rest, card, { amount: "4.00", partial: "true" }),
      lineOf(rest, card, { amount: "16.00" }),
      lineOf(unheard, card, { amount: "1.5", merchantName: "Shop", merchantCountry: "US" }),
    );
    expect(await importLines(file)).toEqual({
      code: 0,
      outcomes: [
        "1 Matched posted",
        "2 AmountDiffers posted",
        "3 Matched posted",
        "4 Matched posted",
        "5 Matched posted",
        "6 Matched posted",
        "7 ForcePosted posted",
      ],
    });
    expect(await network.balanceOf(card)).toEqual([18.49, 0]);
    const [forced] = await network.transactionsOf(card.cardId);
    expect(forced).toMatchObject({
      type: "Settlement",
      settledAmount: 1.5,
      merchant: { name: "Shop", country: "US" },
      networkReference: expect.stringMatching(/^clr-[0-9a-f]{32}-7$/),
    });
  });

  test("is posted where an operator has withdrawn the card's programme, in the card's currency", async () => {
    const card = await network.issue(100);
    await network.pool.query("update cards set programme_id = 'usd-gone' where card_id = $1", [
      card.cardId,
    ]);
    const line = lineOf(terminal.purchase(card, 2_000n), card);
    expect(await importLines(fileOf(line, { ...line, currency: "EUR" }))).toEqual({
      code: 1,
      outcomes: ["1 ForcePosted posted", "2 Refused 121 Currency not supported"],
    });
    expect(await network.balanceOf(card)).toEqual([80, 0]);
  });

  test("is refunded, with its settlement or without", async () => {
    const card = await network.issue(100);
    const purchase = await ask(terminal.purchase(card, 2_000n));
    const refund = { kind: "Refund", amount: "8.00" };
    const file = fileOf(
      lineOf(purchase, card),
      lineOf(purchase, card, refund),
      lineOf(purchase, card, { ...refund, amount: "12.01" }),
      lineOf(terminal.purchase(card, 1n), card, refund),
    );
    expect(await importLines(file)).toEqual({
      code: 1,
      outcomes: [
        "1 Matched posted",
        "2 Matched posted",
        "3 Refused 235 Transaction amount differs",
        "4 ForcePosted posted",
      ],
    });
    expect(await network.balanceOf(card)).toEqual([96, 0]);
  });
});

describe("what messages have settled", () => {
  beforeAll(newAcquirer);

  test("is confirmed once and moves nothing; what they settled alone is missing", async () => {
    newAcquirer();
    const card = await network.issue(100);
    const completed = await ask(terminal.purchase(card, 2_000n));
    await ask(terminal.completion(completed, 2_000n, "USD"));
    const single = await ask(terminal.purchase(card, 1_000n, { mti: "0200" }));
    const forced = terminal.purchase(card, 500n);
    await ask(terminal.completion(forced, 500n, "USD"));
    const refunded = terminal.purchase(card, 100n);
    await ask(terminal.refund(refunded, 100n, "USD"));
    const missing = await ask(terminal.purchase(card, 300n, { mti: "0200" }));
    const before = await network.balanceOf(card);
    const file = fileOf(
      lineOf(completed, card),
      lineOf(single, card, { amount: "10.01" }),
      lineOf(forced, card, { amount: "5.00" }),
      lineOf(refunded, card, { amount: "1.00", kind: "Refund" }),
    );
    expect(await importLines(file)).toEqual({
      code: 0,
      outcomes: [
        "1 Matched confirmed",
        "2 AmountDiffers confirmed",
        "3 Matched confirmed",
        "4 Matched confirmed",
        ` Missing DE 37 ${missing.fields[37]} is in no file yet`,
      ],
    });
    expect(await network.balanceOf(card)).toEqual(before);
  });

  test("what is missing is told with what its own message was about", async () => {
    newAcquirer();
    const card = await network.issue(100);
    const purchase = await ask(terminal.purchase(card, 1_250n));
    await ask(terminal.completion(purchase, 250n, "USD"));
    await ask(terminal.completion(purchase, 300n, "USD"));
    await ask(terminal.refund(purchase, 150n, "USD"));
    const other = await ask(terminal.purchase(card, 100n, { mti: "0200" }));
    const all = ["Settlement 2.50", "Settlement 3.00", "Refund 1.50"];
    expect(await missingAfter(lineOf(other, card, { amount: "1.00" }))).toEqual(all);
    expect(await missingAfter(lineOf(purchase, card, { amount: "3.00" }))).toEqual([
      all[0],
      all[2],
    ]);
  });

  test("what came after the day that a file is for is not missing yet", async () => {
    newAcquirer();
    const card = await network.issue(100);
    const told = await ask(terminal.purchase(card, 100n, { mti: "0200" }));
    const later = await ask(terminal.purchase(card, 300n, { mti: "0200" }));
    const file = fileOf(lineOf(told, card, { amount: "1.00" }));
    const missing = async (day: Date) => {
      const { text } = await run(file, "--csv", "--until", day.toISOString().slice(0, 10));
      return text.includes(`DE 37 ${later.fields[37]}`);
    };
    const today = new Date();
    const yesterday = new Date(today.getTime() - 86_400_000);
    expect(await missing(yesterday)).toBe(false);
    expect(await missing(today)).toBe(true);
  });

  test("a second presentment of what a file has confirmed is posted, and stands out", async () => {
    newAcquirer();
    const card = await network.issue(100);
    const single = await ask(terminal.purchase(card, 1_000n, { mti: "0200" }));
    const line = lineOf(single, card, { amount: "10.00" });
    expect((await importLines(fileOf(line, line))).outcomes).toEqual([
      "1 Matched confirmed",
      "2 AmountDiffers posted",
    ]);
    expect(await network.balanceOf(card)).toEqual([80, 0]);
  });
});

describe("what a reversal has given back of a single message", () => {
  test("is no refund that a file would tell of: it hides none, and is not missing", async () => {
    newAcquirer();
    const card = await network.issue(100);
    const single = await ask(terminal.purchase(card, 4_000n, { mti: "0200" }));
    await ask(terminal.reversal(single, { remainingMinor: 1_500n }));
    expect(await network.balanceOf(card)).toEqual([85, 0]);
    const settlement = lineOf(single, card, { amount: "40.00" });
    expect((await importLines(fileOf(settlement))).outcomes).toEqual(["1 Matched confirmed"]);
    const refund = lineOf(single, card, { kind: "Refund", amount: "15.00" });
    expect((await importLines(fileOf(refund))).outcomes).toEqual(["1 Matched posted"]);
    expect(await network.balanceOf(card)).toEqual([100, 0]);
  });

  test("leaves nothing that would be missing once all is given back, and its line may come all the same", async () => {
    newAcquirer();
    const card = await network.issue(100);
    const told = await ask(terminal.purchase(card, 100n, { mti: "0200" }));
    const whole = await ask(terminal.purchase(card, 4_000n, { mti: "0200" }));
    const inParts = await ask(terminal.purchase(card, 4_000n, { mti: "0200" }));
    const inPart = await ask(terminal.purchase(card, 1_000n, { mti: "0200" }));
    await ask(terminal.reversal(whole));
    await ask(terminal.reversal(inParts, { remainingMinor: 1_000n }));
    await ask(terminal.reversal(inParts, { remainingMinor: 0n }));
    await ask(terminal.reversal(inPart, { remainingMinor: 100n }));
    expect((await importLines(fileOf(lineOf(told, card, { amount: "1.00" })))).outcomes).toEqual([
      "1 Matched confirmed",
      ` Missing DE 37 ${inPart.fields[37]} is in no file yet`,
    ]);
    const late = lineOf(whole, card, { amount: "40.00" });
    expect((await importLines(fileOf(late))).outcomes[0]).toBe("1 Matched confirmed");
    expect(await network.balanceOf(card)).toEqual([98, 0]);
  });

  test("is given back, too, where a file has told of a refund of the same amount", async () => {
    const card = await network.issue(100);
    const single = await ask(terminal.purchase(card, 4_000n, { mti: "0200" }));
    await importLines(fileOf(lineOf(single, card, { kind: "Refund", amount: "10.00" })));
    await ask(terminal.reversal(single, { remainingMinor: 2_000n }));
    expect(await network.balanceOf(card)).toEqual([80, 0]);
  });
});

describe("a file", () => {
  test("that is imported again, also twice at once, moves nothing and says the same", async () => {
    newAcquirer();
    const card = await network.issue(100);
    const purchases = await Promise.all(
      Array.from({ length: 5 }, () => ask(terminal.purchase(card, 500n))),
    );
    const lines = purchases.map((purchase) => lineOf(purchase, card, { amount: "5.00" }));
    const file = fileOf(...lines, lineOf(terminal.purchase(card, 1n), card, { amount: "2.00" }));
    await Promise.all([importLines(file), importLines(file)]);
    expect(await network.balanceOf(card)).toEqual([73, 0]);
    const again = await importLines(file);
    expect(again.outcomes.map((outcome) => outcome.split(" ")[1])).toEqual([
      ...lines.map(() => "Matched"),
      "ForcePosted",
    ]);
    expect(again.outcomes.every((outcome) => outcome.endsWith("by an earlier import"))).toBe(true);
    expect(await network.balanceOf(card)).toEqual([73, 0]);
  });

  test("of many lines that messages have done moves nothing when three import it at once", async () => {
    newAcquirer();
    const card = await network.issue(100);
    const lines = [];
    for (let n = 0; n < 40; n++) {
      const purchase = await ask(terminal.purchase(card, 100n, { mti: "0200" }));
      if (n % 2 === 0) lines.push(lineOf(purchase, card, { amount: "1.00" }));
      else {
        await ask(terminal.refund(purchase, 40n, "USD"));
        lines.push(lineOf(purchase, card, { amount: "0.40", kind: "Refund" }));
      }
    }
    const file = fileOf(...lines);
    const reports = await Promise.all([importLines(file), importLines(file), importLines(file)]);
    for (const { outcomes } of reports) {
      const told = outcomes.slice(0, 40).map((outcome) => outcome.split(" ")[1]);
      expect(told).toEqual(lines.map(() => "Matched"));
    }
    expect(await network.balanceOf(card)).toEqual([68, 0]);
  });

  test("that tells what another file tells at the same time is a second presentment", async () => {
    newAcquirer();
    const card = await network.issue(100);
    const purchases: Message[] = [];
    for (let n = 0; n < 20; n++) {
      purchases.push(await ask(terminal.purchase(card, 100n, { mti: "0200" })));
    }
    const lines = purchases.map((purchase) => lineOf(purchase, card, { amount: "1.00" }));
    const reports = await Promise.all([
      importLines(fileOf(...lines)),
      importLines(fileOf(...lines, "")),
    ]);
    const told = reports.map(
      ({ outcomes }) => new Set(outcomes.map((outcome) => outcome.replace(/^\d+ /, ""))),
    );
    expect(told).toContainEqual(new Set(["Matched confirmed"]));
    expect(told).toContainEqual(new Set(["AmountDiffers posted"]));
    expect(await network.balanceOf(card)).toEqual([60, 0]);
  });

  test("whose import died after it posted is told what came of its lines", async () => {
    newAcquirer();
    const card = await network.issue(100);
    const purchase = await ask(terminal.purchase(card, 500n));
    const file = fileOf(
      lineOf(purchase, card, { amount: "5.00" }),
      lineOf(terminal.purchase(card, 1n), card, { amount: "2.00" }),
    );
    const first = await importLines(file);
    await network.pool.query("delete from clearing_lines");
    expect(await importLines(file)).toEqual(first);
    const { rows } = await network.pool.query(
      `select detail ->> 'digest' as digest from audit_log where action = 'clearing.imported'
        order by audit_id desc limit 2`,
    );
    expect(rows).toEqual([
      { digest: expect.stringMatching(/^[0-9a-f]{32}$/) },
      { digest: rows[0].digest },
    ]);
    expect(await network.balanceOf(card)).toEqual([93, 0]);
  });

  test("may be CSV, in any order of its columns", async () => {
    newAcquirer();
    const card = await network.issue(100);
    const purchase = await ask(terminal.purchase(card, 2_000n));
    const { pan, retrievalReference, acquirer: id } = lineOf(purchase, card);
    const file = fileOf(
      "currency,amount,kind,pan,acquirer,retrievalReference,trace,merchantName",
      `USD,20.00,Settlement,${pan},${id},${retrievalReference},,"Shop, the ""best"""`,
      "",
    );
    expect(await importLines(file)).toEqual({ code: 0, outcomes: ["2 Matched posted"] });
    expect(await network.balanceOf(card)).toEqual([80, 0]);
  });

  test("with lines that cannot be read posts the others and ends with 1", async () => {
    newAcquirer();
    const card = await network.issue(100);
    const good = lineOf(terminal.purchase(card, 1n), card, { amount: "3.00" });
    const file = fileOf(
      "{",
      { ...good, amount: "3.001" },
      { ...good, amount: "0" },
      { ...good, kind: "Chargeback" },
      { ...good, cvv: "123" },
      { ...good, pan: "4111111111111111" },
      { ...good, currency: "JPY", amount: "3" },
      good,
    );
    const { code, outcomes } = await importLines(file);
    expect(code).toBe(1);
    expect(outcomes.map((outcome) => outcome.split(" ")[1])).toEqual([
      ...Array(7).fill("Refused"),
      "ForcePosted",
    ]);
    expect(outcomes[5]).toContain("148");
    expect(outcomes[6]).toContain("121");
    expect(await network.balanceOf(card)).toEqual([97, 0]);
  });

  test("is reported as a table with a summary, without card numbers", async () => {
    newAcquirer();
    const card = await network.issue(100);
    const file = fileOf(lineOf(terminal.purchase(card, 1n), card, { amount: "3.00" }));
    const { code, text } = await run(file);
    expect(code).toBe(0);
    expect(text).toMatch(/^line +outcome +kind +card +amount +currency +transaction +note$/m);
    expect(text).toMatch(
      /^ *1 +ForcePosted +Settlement +411111\*{6}\d{4} +3\.00 +USD +txn_\w+ +posted$/m,
    );
    expect(text).toContain("Matched: 0  ForcePosted: 1  AmountDiffers: 0  Missing: 0  Refused: 0");
    expect(text).not.toContain(card.pan);
  });

  test.each([
    ["that is not there", ["/nowhere"], /cannot be read/],
    ["that is no file", ["/dev/null"], /not a file/],
    ["without a name", [], /takes <FILE>/],
    ["until a day that is none", [fileOf("{}"), "--until", "tomorrow"], /--until/],
    ["until a day that no month has", [fileOf("{}"), "--until", "2026-02-30"], /--until/],
  ])("%s is refused", async (_what, args, problem) => {
    const attempt = run(...args);
    await expect(attempt).rejects.toThrow(CommandError);
    await expect(attempt).rejects.toThrow(problem);
  });
});
