import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readConfig } from "../src/foundation/config.ts";
import type { AcquirerConnection } from "../src/network/acquirer/connection.ts";
import { Terminal } from "../src/network/acquirer/terminal.ts";
import { importFile, type LineReport } from "../src/network/clearing-file/import.ts";
import type { NetworkDoor } from "../src/network/door.ts";
import type { Message } from "../src/network/iso8583/fields.ts";
import { withDoor } from "../src/operator/network-door.ts";
import { lineOf, openClearingDesk } from "./harness/clearing.ts";
import { accepted, type NetworkSandbox, startNetworkSandbox } from "./harness/network.ts";
import { openOperator } from "./harness/operator.ts";

let network: NetworkSandbox;
let acquirer: AcquirerConnection;
const desk = openClearingDesk(() => network);
const { fileOf, importLines } = desk;
/** Each test is another acquirer, so that only its own payments can be missing. */
let terminal: Terminal;
let acquirerId = 200_000;
beforeAll(async () => {
  network = await startNetworkSandbox();
  acquirer = await network.connect();
});
afterAll(async () => {
  expect(await network.problems()).toEqual([]);
  await network.stop();
  desk.close();
});
beforeEach(() => {
  acquirerId += 1;
  terminal = new Terminal({ acquirer: String(acquirerId) });
});

const ask = (message: Message): Promise<Message> => accepted(acquirer, message);

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

test("a single message whose rest a file has settled after a reversal is acknowledged and moves nothing", async () => {
  const card = await network.issue(100);
  const single = terminal.purchase(card, 2_000n, { mti: "0200" });
  await ask({ ...single, mti: "0100" });
  await ask(terminal.reversal(single, { remainingMinor: 500n }));
  await importLines(fileOf(lineOf(single, card, { amount: "5.00" })));
  await ask(terminal.repeat(single));
  expect(await network.balanceOf(card)).toEqual([95, 0]);
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
