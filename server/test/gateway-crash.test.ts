import { afterEach, expect, test } from "vitest";
import { AcquirerConnection } from "../src/network/acquirer/connection.ts";
import { drive } from "../src/network/acquirer/driver.ts";
import { Terminal } from "../src/network/acquirer/terminal.ts";
import type { Message } from "../src/network/iso8583/fields.ts";
import type { ApiClient } from "./harness/api-client.ts";
import { bvn } from "./harness/kyc.ts";
import type { IssuedCard } from "./harness/network.ts";
import {
  cleanUp,
  florin,
  freePort,
  newDataDir,
  quietEnvironment,
  startServiceProcess,
} from "./harness/process.ts";

const COUNT = 600;
const KILL_AFTER = 200;
const IN_FLIGHT = 64;

afterEach(cleanUp);

interface Sent {
  request: Message;
  card: IssuedCard;
  cents: number;
  answer?: Message;
}

test("killed under an acquirer's traffic: every approval that was sent has its hold, and repetitions are answered the same", {
  timeout: 180_000,
}, async () => {
  const port = await freePort();
  const environment = {
    ...quietEnvironment(newDataDir()),
    FLORIN_NETWORK_PORT: String(port),
  };
  const first = await startServiceProcess(environment);
  expect(first.stdout).toContain(`127.0.0.1:${port} (ISO 8583)`);
  const cards = await issueCards(first.client, 4);
  const sent = purchasesOf(cards);
  let answers = 0;
  await exchange(port, sent, () => {
    answers += 1;
    if (answers === KILL_AFTER) first.kill("SIGKILL");
  });
  expect((await first.exited).signal).toBe("SIGKILL");
  const answered = sent.filter(({ answer }) => answer !== undefined);
  // Otherwise there was no middle to be killed in.
  expect(answered.length).toBeGreaterThanOrEqual(KILL_AFTER);
  expect(answered.length).toBeLessThan(COUNT);

  const second = await startServiceProcess(environment);
  const found = await transactionsOf(second.client, cards);
  for (const { request, answer, cents } of answered) {
    expect(answer?.fields[39]).toBe("00");
    expect(found.get(nameOf(request))).toMatchObject({
      approvalCode: answer?.fields[38],
      [request.mti === "0200" ? "settledAmount" : "heldAmount"]: cents / 100,
    });
  }

  const terminal = new Terminal();
  const repeated = sent.map((one) => ({ ...one, request: terminal.repeat(one.request) }));
  for (const one of repeated) delete one.answer;
  await exchange(port, repeated, () => undefined);
  repeated.forEach(({ answer }, index) => {
    expect(answer?.fields[39]).toBe("00");
    const before = sent[index]?.answer;
    if (before !== undefined) expect(answer?.fields[38]).toBe(before.fields[38]);
  });
  await expectEachOnce(second.client, sent);
  second.kill("SIGTERM");
  await second.exited;
  expect((await florin(["audit"], environment)).code).toBe(0);
});

async function issueCards(client: ApiClient, count: number): Promise<IssuedCard[]> {
  const verified = await client.post("/kyc/individual", bvn());
  const { customerId } = verified.body.data;
  return Promise.all(
    Array.from({ length: count }, async () => {
      const body = { customerId, initialBalance: 10_000 };
      const { cardId } = (await client.post("/cards/retail", body)).body.data;
      const { pan, currency } = (await client.get(`/cards/${cardId}/secure`)).body.data;
      return { cardId, pan, currency };
    }),
  );
}

/** Each has an amount of its own, so that a sum tells which of them it is made of. */
function purchasesOf(cards: IssuedCard[]): Sent[] {
  const terminal = new Terminal();
  return Array.from({ length: COUNT }, (_, index) => {
    const card = cards[index % cards.length] as IssuedCard;
    const cents = 100 + index;
    const mti = index % 3 === 0 ? "0200" : "0100";
    return { request: terminal.purchase(card, BigInt(cents), { mti }), card, cents };
  });
}

async function exchange(port: number, sent: Sent[], onAnswer: () => void): Promise<void> {
  const connection = await AcquirerConnection.open({ host: "127.0.0.1", port });
  const waiting = [...sent];
  const byRequest = new Map(sent.map((one) => [one.request, one]));
  await drive({
    connection,
    inFlight: IN_FLIGHT,
    next: () => waiting.shift()?.request,
    onAnswer: (request, answer) => {
      const one = byRequest.get(request);
      if (one !== undefined) one.answer = answer;
      onAnswer();
    },
    // Nobody answers for a service that was killed.
    onNoAnswer: () => undefined,
  });
  connection.cut();
}

const nameOf = ({ fields }: Message): string =>
  `${fields[32]}${fields[37]}${fields[11]}${fields[7]}`;

type Found = { networkReference: string; heldAmount: number; settledAmount: number };

async function transactionsOf(client: ApiClient, cards: IssuedCard[]): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  for (const { cardId } of cards) {
    let cursor: string | null = "";
    while (cursor !== null) {
      const more: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await client.get(`/transactions?cardId=${cardId}&limit=100${more}`);
      for (const row of body.data) found.set(row.networkReference, row);
      cursor = body.pagination.nextCursor;
    }
  }
  return found;
}

async function expectEachOnce(client: ApiClient, sent: Sent[]): Promise<void> {
  const cards = new Map(sent.map(({ card }) => [card.cardId, card]));
  for (const cardId of cards.keys()) {
    const own = sent.filter(({ card }) => card.cardId === cardId);
    const sumOf = (mti: string): number =>
      own.filter(({ request }) => request.mti === mti).reduce((sum, { cents }) => sum + cents, 0);
    const { body } = await client.get(`/cards/${cardId}`);
    expect(Math.round(body.data.heldAmount * 100)).toBe(sumOf("0100"));
    expect(Math.round(body.data.balance * 100)).toBe(1_000_000 - sumOf("0200"));
  }
}
