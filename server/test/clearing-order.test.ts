import { describe, expect, test } from "vitest";
import { readConfig } from "../src/foundation/config/config.ts";
import type { AcquirerConnection } from "../src/network/acquirer/connection.ts";
import { Terminal } from "../src/network/acquirer/terminal.ts";
import { importFile, type LineReport } from "../src/network/clearing-file/import.ts";
import type { NetworkDoor } from "../src/network/door.ts";
import type { Message } from "../src/network/iso8583/fields.ts";
import { withDoor } from "../src/operator/network-door.ts";
import { clearingService, lineOf } from "./harness/clearing.ts";
import { heard, type NetworkSandbox } from "./harness/network.ts";
import { openOperator } from "./harness/operator.ts";

let network: NetworkSandbox;
let acquirer: AcquirerConnection;
let terminal: Terminal;
let acquirerId: number;
const desk = clearingService((test) => {
  ({ network, acquirer, terminal, acquirerId } = test);
});
const { ask, fileOf, importLines } = desk;

test("a message after its line is acknowledged and moves nothing; the next is another presentment", async () => {
  const card = await network.issue(100);
  const purchase = await ask(terminal.purchase(card, 2_000n));
  await importLines(fileOf(lineOf(purchase, card)));
  const completion = await ask(terminal.completion(purchase, 2_000n, "USD"));
  await ask(completion);
  expect(await network.balanceOf(card)).toEqual([80, 0]);
  await ask(terminal.completion(purchase, 2_000n, "USD"));
  expect(await network.balanceOf(card)).toEqual([60, 0]);
});

test("a refund after its line is acknowledged and moves nothing, and so is a completion after that", async () => {
  const card = await network.issue(100);
  const purchase = await ask(terminal.purchase(card, 2_000n));
  const refund = lineOf(purchase, card, { kind: "Refund", amount: "5.00" });
  await importLines(fileOf(lineOf(purchase, card), refund));
  await ask(terminal.refund(purchase, 500n, "USD"));
  await ask(terminal.completion(purchase, 2_000n, "USD"));
  expect(await network.balanceOf(card)).toEqual([85, 0]);
  await ask(terminal.completion(purchase, 2_000n, "USD"));
  expect(await network.balanceOf(card)).toEqual([65, 0]);
});

/**
 * A single message of 20.00 that was held, when it was cut off before it settled: what a reversal of all but 5.00, a
 * line of a file and the repetition of the message come to, in every order.
 */
const REVERSAL = "reversal";
const LINE = "line";
const REPETITION = "repetition";
test.each<[order: string[], amount: string, settled: number, refunded: number, outcome: string]>([
  // The file is about what remained.
  [[REVERSAL, LINE, REPETITION], "5.00", 5, 0, "Matched"],
  [[REVERSAL, REPETITION, LINE], "5.00", 5, 0, "Matched"],
  [[REPETITION, REVERSAL, LINE], "5.00", 20, 15, "AmountDiffers"],
  [[REPETITION, LINE, REVERSAL], "5.00", 20, 15, "AmountDiffers"],
  [[LINE, REPETITION, REVERSAL], "5.00", 20, 15, "AmountDiffers"],
  // The file is about all of it.
  [[REVERSAL, REPETITION, LINE], "20.00", 5, 0, "AmountDiffers"],
  [[REPETITION, REVERSAL, LINE], "20.00", 20, 15, "Matched"],
  [[REPETITION, LINE, REVERSAL], "20.00", 20, 15, "Matched"],
  [[LINE, REPETITION, REVERSAL], "20.00", 20, 15, "Matched"],
  // Nothing but the line has settled it, which is therefore posted whole, and the repetition adds nothing to it.
  [[REVERSAL, LINE, REPETITION], "20.00", 20, 0, "AmountDiffers"],
])(
  "of a single message, %s with a line of %s",
  async (order, amount, settled, refunded, outcome) => {
    const card = await network.issue(100);
    const single = terminal.purchase(card, 2_000n, { mti: "0200" });
    await ask({ ...single, mti: "0100" });
    const outcomes: string[] = [];
    for (const what of order) {
      if (what === REVERSAL) await ask(terminal.reversal(single, { remainingMinor: 500n }));
      if (what === REPETITION) await ask(terminal.repeat(single));
      if (what === LINE) {
        const imported = await importLines(fileOf(lineOf(single, card, { amount })));
        outcomes.push(...imported.outcomes);
      }
    }
    expect(outcomes[0]).toMatch(new RegExp(`^1 ${outcome} `));
    const [payment] = await network.transactionsOf(card.cardId);
    expect([payment.settledAmount, payment.refundedAmount]).toEqual([settled, refunded]);
    expect(await network.balanceOf(card)).toEqual([100 - settled + refunded, 0]);
  },
);

test.each(["5.00", "20.00"])(
  "a single message that a line of %s has settled cannot be reversed before it repeats",
  async (amount) => {
    const card = await network.issue(100);
    const single = terminal.purchase(card, 2_000n, { mti: "0200" });
    await ask({ ...single, mti: "0100" });
    await importLines(fileOf(lineOf(single, card, { amount })));
    const reversal = terminal.reversal(single, { remainingMinor: 500n });
    expect(heard(await acquirer.ask(reversal))).toBe("12");
    await ask(terminal.repeat(single));
    expect(await network.balanceOf(card)).toEqual([80, 0]);
  },
);

test.each<[settled: string, parts: object[]]>([
  ["in parts", [{ amount: "8.00", partial: "true" }, { amount: "12.00" }]],
  ["in part, with more to follow", [{ amount: "8.00", partial: "true" }]],
  ["for less", [{ amount: "8.00" }]],
])(
  "a single message that a file has settled %s settles no more than the rest",
  async (_what, parts) => {
    const card = await network.issue(100);
    const single = terminal.purchase(card, 2_000n, { mti: "0200" });
    await ask({ ...single, mti: "0100" });
    await importLines(fileOf(...parts.map((part) => lineOf(single, card, part))));
    for (let times = 0; times < 2; times += 1) await ask(terminal.repeat(single));
    expect(await network.balanceOf(card)).toEqual([80, 0]);
  },
);

test("a single message that was reversed is refused, also where a file has settled it after all", async () => {
  const card = await network.issue(100);
  const single = terminal.purchase(card, 2_000n, { mti: "0200" });
  await ask({ ...single, mti: "0100" });
  await ask(terminal.reversal(single));
  await importLines(fileOf(lineOf(single, card)));
  expect(heard(await acquirer.ask(terminal.repeat(single)))).toBe("21");
  expect(await network.balanceOf(card)).toEqual([80, 0]);
});

test("a message about another amount than the line is posted", async () => {
  const card = await network.issue(100);
  const purchase = await ask(terminal.purchase(card, 2_000n));
  await importLines(fileOf(lineOf(purchase, card)));
  await ask(terminal.completion(purchase, 500n, "USD"));
  expect(await network.balanceOf(card)).toEqual([75, 0]);
});

test("of a payment in parts, each is told by both and moves once, whichever comes first", async () => {
  const card = await network.issue(100);
  const fileFirst = await ask(terminal.purchase(card, 2_000n));
  const messagesFirst = await ask(terminal.purchase(card, 2_000n));
  for (const part of [800n, 1_200n]) await ask(terminal.completion(messagesFirst, part, "USD"));
  const partsOf = (purchase: Message) => [
    lineOf(purchase, card, { amount: "8.00", partial: "true" }),
    lineOf(purchase, card, { amount: "12.00" }),
    lineOf(purchase, card, { amount: "5.00", kind: "Refund" }),
    lineOf(purchase, card, { amount: "3.00", kind: "Refund" }),
  ];
  for (const part of [500n, 300n]) await ask(terminal.refund(messagesFirst, part, "USD"));
  const { outcomes } = await importLines(fileOf(...partsOf(fileFirst), ...partsOf(messagesFirst)));
  expect(outcomes.slice(4)).toEqual([5, 6, 7, 8].map((line) => `${line} Matched confirmed`));
  for (const part of [1_200n, 800n]) await ask(terminal.completion(fileFirst, part, "USD"));
  for (const part of [300n, 500n]) await ask(terminal.refund(fileFirst, part, "USD"));
  expect(await network.balanceOf(card)).toEqual([76, 0]);
});

/** Three parts of a purchase of 10.00, or three refunds of it; the second and the third are told before the file. */
describe.each([
  [
    "parts",
    "Settlement",
    (purchase: Message, minor: bigint) => terminal.completion(purchase, minor, "USD"),
  ],
  [
    "refunds",
    "Refund",
    (purchase: Message, minor: bigint) => terminal.refund(purchase, minor, "USD"),
  ],
] as const)("of different %s, each moves once,", (_what, kind, send) => {
  const amounts = ["1.00", "4.00", "5.00"];
  const orders = amounts.flatMap((a) =>
    amounts.flatMap((b) => amounts.map((c) => [a, b, c]).filter((all) => new Set(all).size === 3)),
  );
  const minor = (amount: string): bigint => BigInt(Number(amount) * 100);

  async function open() {
    const card = await network.issue(100);
    const purchase = await ask(terminal.purchase(card, 1_000n));
    if (kind === "Refund") await ask(terminal.completion(purchase, 1_000n, "USD"));
    const lineFor = (amount: string) => lineOf(purchase, card, { kind, amount, partial: "true" });
    const balance = kind === "Refund" ? 100 : 90;
    return { card, purchase, lineFor, balance };
  }

  test.each(orders)("whatever the order of their lines: %s, %s, %s", async (...order) => {
    const { card, purchase, lineFor, balance } = await open();
    for (const amount of ["4.00", "5.00"]) await ask(send(purchase, minor(amount)));
    const { outcomes } = await importLines(fileOf(...order.map(lineFor)));
    expect(outcomes.slice(0, 3)).toEqual(
      order.map((amount, n) => `${n + 1} Matched ${amount === "1.00" ? "posted" : "confirmed"}`),
    );
    await ask(send(purchase, minor("1.00")));
    expect(await network.balanceOf(card)).toEqual([balance, 0]);
  });

  test("also where one file tells of another amount, and a later one of what was meant", async () => {
    const { card, purchase, lineFor, balance } = await open();
    await ask(send(purchase, minor("4.00")));
    const wrong = await importLines(fileOf(lineFor("5.00")));
    expect(wrong.outcomes[0]).toBe("1 AmountDiffers confirmed");
    const right = await importLines(fileOf(lineFor("4.00")));
    expect(right.outcomes[0]).toBe("1 Matched confirmed");
    for (const amount of ["5.00", "1.00"]) await ask(send(purchase, minor(amount)));
    expect(await network.balanceOf(card)).toEqual([balance, 0]);
  });
});

test("a line of another acquirer's payment with the same DE 37 is posted on its own", async () => {
  const card = await network.issue(100);
  const purchase = await ask(terminal.purchase(card, 1_000n));
  const { outcomes } = await importLines(fileOf(lineOf(purchase, card, { acquirer: "777777" })));
  expect(outcomes[0]).toMatch(/^1 ForcePosted posted/);
  expect(await network.balanceOf(card)).toEqual([80, 10]);
});

test("a line of whoever presented a payment confirms that, though another had it authorized", async () => {
  const card = await network.issue(100);
  const purchase = await ask(terminal.purchase(card, 2_000n));
  const presenter = new Terminal({ acquirer: "555555" });
  await ask(presenter.completion(purchase, 2_000n, "USD"));
  expect(await network.balanceOf(card)).toEqual([80, 0]);
  const line = lineOf(purchase, card, { acquirer: "555555" });
  expect((await importLines(fileOf(line))).outcomes[0]).toBe("1 Matched confirmed");
  expect(await network.balanceOf(card)).toEqual([80, 0]);
});

test("an acquirer is the same with zeros before it: its message is missing", async () => {
  const padded = new Terminal({ acquirer: `00${acquirerId}` });
  const card = await network.issue(100);
  const told = await ask(padded.purchase(card, 1_000n));
  const untold = await ask(padded.purchase(card, 500n));
  for (const [purchase, amount] of [
    [told, 1_000n],
    [untold, 500n],
  ] as const) {
    await ask(padded.completion(purchase, amount, "USD"));
  }
  const line = lineOf(told, card, { acquirer: String(acquirerId) });
  expect(await desk.missingAfter(line)).toEqual(["Settlement 5.00"]);
});

test("a message that comes while its line is imported settles, and the line confirms it", async () => {
  const card = await network.issue(100);
  const purchase = await ask(terminal.purchase(card, 2_000n));
  const file = fileOf(lineOf(purchase, card));
  const operator = await openOperator(network.service);
  const reports: LineReport[] = [];
  let asked = 0;
  await withDoor(operator, readConfig(network.service.environment), async (opened) => {
    const { door } = opened;
    const follow: NetworkDoor["follow"] = async (...given) => {
      asked += 1;
      await ask(terminal.completion(purchase, 2_000n, "USD"));
      return door.follow(...given);
    };
    const deps = { ...operator, ...opened, door: { ...door, follow } };
    await importFile(deps, file, {
      onLine: (report) => reports.push(report),
      onWait: () => undefined,
    });
  });
  await operator.close();
  expect(asked).toBe(1);
  expect(reports).toMatchObject([{ outcome: "Matched", isPosted: false }]);
  expect(await network.balanceOf(card)).toEqual([80, 0]);
});

test("of many messages and lines at once, either settles and the other confirms", async () => {
  const card = await network.issue(100);
  const purchases: Message[] = [];
  for (let n = 0; n < 60; n++) purchases.push(await ask(terminal.purchase(card, 100n)));
  const file = fileOf(...purchases.map((purchase) => lineOf(purchase, card, { amount: "1.00" })));
  const imported = importLines(file);
  for (const purchase of purchases.toReversed()) {
    await ask(terminal.completion(purchase, 100n, "USD"));
  }
  const { outcomes } = await imported;
  expect(outcomes.map((outcome) => outcome.split(" ")[1])).toEqual(purchases.map(() => "Matched"));
  expect(await network.balanceOf(card)).toEqual([40, 0]);
});

test("a second presentment of what a message has posted on its own stands out, also if its import died", async () => {
  const card = await network.issue(100);
  const [forced, refunded] = [terminal.purchase(card, 1_000n), terminal.purchase(card, 300n)];
  await ask(terminal.completion(forced, 1_000n, "USD"));
  await ask(terminal.refund(refunded, 300n, "USD"));
  const settlement = lineOf(forced, card, { amount: "10.00" });
  const refund = lineOf(refunded, card, { kind: "Refund", amount: "3.00" });
  const file = fileOf(settlement, settlement, refund, refund);
  const first = await importLines(file);
  expect(first.outcomes).toEqual([
    "1 Matched confirmed",
    "2 AmountDiffers posted",
    "3 Matched confirmed",
    "4 AmountDiffers posted",
  ]);
  await network.pool.query("delete from clearing_lines where is_posted");
  expect((await importLines(file)).outcomes.filter((line) => line.endsWith(" posted"))).toEqual(
    first.outcomes.filter((line) => line.endsWith(" posted")),
  );
  expect(await network.balanceOf(card)).toEqual([86, 0]);
});

test("a message is missing also where a file has mentioned a later one of its payment alone", async () => {
  const card = await network.issue(100);
  const purchase = await ask(terminal.purchase(card, 1_000n));
  await ask(terminal.completion(purchase, 500n, "USD"));
  const later = terminal.completion(purchase, 300n, "USD");
  await ask(later);
  await network.pool.query(
    `update network_messages set created_at = created_at + interval '1 day'
      where request_type = 'Settlement' and right(network_reference, 16) = $1`,
    [`${later.fields[11]}${later.fields[7]}`],
  );
  const file = fileOf(lineOf(purchase, card, { amount: "3.00" }));
  const today = new Date().toISOString().slice(0, 10);
  const { text } = await desk.run(file, "--csv", "--until", today);
  expect(text.split("\n").slice(1)).toEqual([
    expect.stringMatching(/^1,Matched,/),
    expect.stringMatching(/^,Missing,Settlement,[^,]+,5\.00,USD,/),
  ]);
});

test.each([0, 256])(
  "a line that tells just what a message has done comes first, also with %i lines before it",
  async (between) => {
    const [card, other] = [await network.issue(100), await network.issue(0)];
    const purchase = await ask(terminal.purchase(card, 1_000n));
    await ask(terminal.completion(purchase, 400n, "USD"));
    const part = (amount: string) => lineOf(purchase, card, { amount, partial: "true" });
    const others = Array.from({ length: between }, (_, n) => ({
      ...{ kind: "Refund", pan: other.pan, amount: "0.01", currency: "USD" },
      ...{ acquirer: "7", retrievalReference: `R${n}` },
    }));
    const file = fileOf(part("5.00"), ...others, part("4.00"));
    const ofCard = async (): Promise<string[]> => {
      const { outcomes } = await importLines(file);
      return outcomes.filter((outcome) => !outcome.includes("ForcePosted"));
    };
    const last = between + 2;
    expect(await ofCard()).toEqual(["1 Matched posted", `${last} Matched confirmed`]);
    expect(await network.balanceOf(card)).toEqual([91, 0]);
    expect(await ofCard()).toEqual([
      "1 Matched posted by an earlier import",
      `${last} Matched confirmed by an earlier import`,
    ]);
    expect(await network.balanceOf(card)).toEqual([91, 0]);
  },
);
