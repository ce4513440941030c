import { afterAll, beforeAll, expect, test } from "vitest";
import type { AcquirerConnection } from "../src/network/acquirer/connection.ts";
import type { Terminal } from "../src/network/acquirer/terminal.ts";
import type { Message } from "../src/network/iso8583/fields.ts";
import { until } from "./harness/eventually.ts";
import { heard, type NetworkSandbox, startNetworkSandbox } from "./harness/network.ts";
import { DatabaseProxy } from "./harness/proxy.ts";
import { scratchDatabase } from "./harness/scratch.ts";

let database: Awaited<ReturnType<typeof scratchDatabase>>;
let line: DatabaseProxy;
let network: NetworkSandbox;
let acquirer: AcquirerConnection;
let terminal: Terminal;
beforeAll(async () => {
  database = await scratchDatabase();
  line = await DatabaseProxy.before(database.url);
  network = await startNetworkSandbox({ FLORIN_DATABASE_URL: line.url });
  acquirer = await network.connect();
  ({ terminal } = network);
});
afterAll(async () => {
  expect(await network.problems()).toEqual([]);
  await network.stop();
  await line.close();
  await database.drop();
});

/** How many messages of a type were done with and not answered. */
async function silences(mti: string): Promise<number> {
  const text = await (await fetch(`${network.service.sandbox.apiUrl}/metrics`)).text();
  const count = new RegExp(`_count\\{peer="loopback",mti="${mti}",response=""\\} (\\d+)`).exec(
    text,
  );
  return Number(count?.[1] ?? 0);
}

/** Sends a message whose commit, which this statement tells, is done, but nobody hears of it. */
async function sendIntoSilence(message: Message, statement: string): Promise<void> {
  const before = await silences(message.mti);
  const lost = line.atNext(statement, "answer lost");
  acquirer.send(message);
  await lost;
  await until("it is given up", async () => (await silences(message.mti)) === before + 1);
  expect(acquirer.strays).toEqual([]);
}

test("an outcome that nobody knows is not answered; the repetition is, with no second effect", async () => {
  const card = await network.issue(100);
  const purchase = terminal.purchase(card, 2_000n);
  await sendIntoSilence(purchase, "transactions_insert");
  const answer = await acquirer.ask(terminal.repeat(purchase));
  expect(heard(answer)).toBe("00");
  const [transaction, ...others] = await network.transactionsOf(card.cardId);
  expect(transaction).toMatchObject({ approvalCode: answer.fields[38], heldAmount: 20 });
  expect(others).toHaveLength(1);
});

test("a reversal whose outcome nobody knows is not answered; sent again, it is answered as done", async () => {
  const card = await network.issue(100);
  const purchase = terminal.purchase(card, 2_000n);
  expect(heard(await acquirer.ask(purchase))).toBe("00");
  const reversal = terminal.reversal(purchase);
  await sendIntoSilence(reversal, "transactions_update");
  expect(heard(await acquirer.ask(terminal.repeat(reversal)))).toBe("00");
  expect(await network.get(`/cards/${card.cardId}`)).toMatchObject({ heldAmount: 0 });
});

test("a 0200 whose settlement has an unknown outcome is not answered; its repetition finds it settled, once", async () => {
  const card = await network.issue(100);
  const single = terminal.purchase(card, 2_000n, { mti: "0200" });
  await sendIntoSilence(single, "network_messages_insert");
  expect(heard(await acquirer.ask(terminal.repeat(single)))).toBe("00");
  expect(await network.get(`/cards/${card.cardId}`)).toMatchObject({ balance: 80, heldAmount: 0 });
});

test("a commit that never arrived is done again, and answered", async () => {
  const card = await network.issue(100);
  const lost = line.atNext("transactions_insert", "request lost");
  const answer = acquirer.ask(terminal.purchase(card, 2_000n));
  await lost;
  expect(heard(await answer)).toBe("00");
  expect(await network.get(`/cards/${card.cardId}`)).toMatchObject({ heldAmount: 20 });
});

test("what finds the account locked is answered 96 and not remembered: sent again, it is done", async () => {
  const card = await network.issue(100);
  const purchases = [terminal.purchase(card, 2_000n), terminal.purchase(card, 1_000n)];
  for (const purchase of purchases) expect(heard(await acquirer.ask(purchase))).toBe("00");
  const reversals = purchases.map((purchase) => terminal.reversal(purchase));
  const askAll = () =>
    Promise.all(reversals.map(async (reversal) => heard(await acquirer.ask(reversal))));
  const holder = await network.pool.connect();
  await holder.query("begin");
  await holder.query(
    `select from accounts where account_id = (select account_id from cards where card_id = $1)
        for update`,
    [card.cardId],
  );
  expect(await askAll()).toEqual(["96", "96"]);
  await holder.query("rollback");
  holder.release();
  await until("they are done", async () => (await askAll()).every((told) => told === "00"));
  expect(await network.get(`/cards/${card.cardId}`)).toMatchObject({ heldAmount: 0 });
});

test("without its database it answers 96, stays connected, and recovers", async () => {
  const card = await network.issue(100);
  const purchase = terminal.purchase(card, 2_000n);
  line.goDown();
  expect(heard(await acquirer.ask(purchase))).toBe("96");
  expect(heard(await acquirer.ask(terminal.management("301")))).toBe("00");
  line.comeUp();
  await until("it is decided", async () => heard(await acquirer.ask(purchase)) === "00");
  expect(await network.get(`/cards/${card.cardId}`)).toMatchObject({ heldAmount: 20 });
});
