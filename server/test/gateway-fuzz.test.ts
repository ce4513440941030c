import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decode } from "../src/network/iso8583/decode.ts";
import { encode } from "../src/network/iso8583/encode.ts";
import { FormatError } from "../src/network/iso8583/format-error.ts";
import { frame, MAX_MESSAGE_BYTES } from "../src/network/iso8583/framing.ts";
import { arbitraryMessage } from "../src/network/iso8583/golden/arbitrary.ts";
import { fuzzSize } from "../src/network/iso8583/golden/fuzz-size.ts";
import { goldenMessages } from "../src/network/iso8583/golden/golden.ts";
import { mutate, mutation } from "../src/network/iso8583/golden/mutation.ts";
import { isMti } from "../src/network/iso8583/message-types.ts";
import { refusalOf } from "../src/network/iso8583/refusal.ts";
import {
  heard,
  type IssuedCard,
  type NetworkSandbox,
  startNetworkSandbox,
} from "./harness/network.ts";

const MESSAGES_A_RUN = 40;
const { messages: MESSAGES, timeoutMs: TIMEOUT_MS } = fuzzSize(6_000);

let network: NetworkSandbox;
let card: IssuedCard;
const errors: string[] = [];
beforeAll(async () => {
  const log = { write: (line: string) => void (/"level":[56]0/.test(line) && errors.push(line)) };
  network = await startNetworkSandbox({ FLORIN_LOG_LEVEL: "error" }, { log });
  card = await network.issue(100);
});
afterAll(async () => {
  expect(await network.problems()).toEqual([]);
  await network.stop();
});

const books = async (): Promise<unknown> => {
  const { rows } = await network.pool.query(
    `select (select count(*) from transactions) as transactions,
            (select count(*) from postings) as postings,
            (select count(*) from unapplied_messages) as unapplied,
            (select sum(posted_minor) from accounts) as posted,
            (select sum(held_minor) from accounts) as held`,
  );
  return rows[0];
};

/** Sends whatever bytes on a connection of their own and waits until all that can come of them has. */
async function throwAtGateway(segments: Buffer[]): Promise<void> {
  const hostile = await network.connect();
  for (const segment of segments) hostile.sendBytes(segment);
  hostile.end();
  await hostile.closed;
}

/** Whether nothing is read after it, see the gateway's exchange. */
function endsConnection(bytes: Buffer): boolean {
  try {
    return decode(bytes).fields[11] === undefined;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const { mti = "", traceNumber } = error;
    return refusalOf(error) === undefined && (!isMti(mti) || traceNumber === undefined);
  }
}

/** Sends messages so that each is read: what ends a connection has one of its own. */
async function throwEach(messages: Buffer[], end: Buffer): Promise<void> {
  const others = messages.filter((bytes) => !endsConnection(bytes)).map(frame);
  await Promise.all([
    throwAtGateway([...others, end]),
    ...messages.filter(endsConnection).map((bytes) => throwAtGateway([frame(bytes)])),
  ]);
}

const isFramed = ({ length }: Buffer): boolean => length >= 1 && length <= MAX_MESSAGE_BYTES;

/** Messages of which most are a little wrong. */
const mutated = (originals: Buffer[]): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...originals) },
        { weight: 1, arbitrary: arbitraryMessage.map(encode) },
      ),
      fc.array(mutation, { minLength: 0, maxLength: 3 }),
    )
    .map(([bytes, changes]) => changes.reduce(mutate, bytes))
    .filter(isFramed);

/** Throws so many of them at the gateway, which must go on serving a peer that watches. */
async function fuzz(originals: Buffer[], messages: number): Promise<void> {
  const watching = await network.connect();
  const message = mutated(originals);
  const many = fc.array(message, { minLength: MESSAGES_A_RUN, maxLength: MESSAGES_A_RUN });
  // Lengths that lie come last, since nothing after them is read.
  const last = fc.oneof(
    fc.constant(Buffer.alloc(0)),
    message.map((bytes) => frame(bytes).subarray(1)),
  );
  await fc.assert(
    fc.asyncProperty(many, last, async (sent, end) => {
      await throwEach(sent, end);
      expect(heard(await watching.ask(network.terminal.management("301")))).toBe("00");
    }),
    { numRuns: Math.ceil(messages / MESSAGES_A_RUN) },
  );
  expect(errors).toEqual([]);
  watching.cut();
}

/** How many messages the gateway has come to an end with, whatever end. */
async function messagesRead(): Promise<number> {
  const metrics = await (await fetch(`${network.service.sandbox.apiUrl}/metrics`)).text();
  const counts = metrics.matchAll(/^florin_network_message_duration_seconds_count\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

test(`${MESSAGES} mutated messages neither crash nor wedge the gateway, nor move money`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const before = await books();
  await fuzz(
    goldenMessages.map(({ bytes }) => bytes),
    MESSAGES,
  );
  expect(await messagesRead()).toBeGreaterThanOrEqual(MESSAGES);
  expect(await books()).toEqual(before);
  // It still does what it is for.
  const acquirer = await network.connect();
  expect(heard(await acquirer.ask(network.terminal.purchase(card, 100n)))).toBe("00");
});

test("of messages about a real card some are good, and the books hold", {
  timeout: TIMEOUT_MS,
}, async () => {
  const aboutCard = goldenMessages.flatMap(({ message: { mti, fields } }) =>
    fields[2] === undefined ? [] : [encode({ mti, fields: { ...fields, 2: card.pan } })],
  );
  await fuzz(aboutCard, MESSAGES / 4);
  expect((await network.transactionsOf(card.cardId)).length).toBeGreaterThan(1);
  expect(await network.problems()).toEqual([]);
});

test("no part of a message about a real card has an effect", { timeout: TIMEOUT_MS }, async () => {
  const before = await books();
  const { terminal } = network;
  const purchase = terminal.purchase(card, 100n);
  const whole = [
    purchase,
    terminal.purchase(card, 100n, { mti: "0120" }),
    terminal.purchase(card, 100n, { mti: "0200" }),
    terminal.completion(purchase, 100n, "USD"),
    terminal.refund(purchase, 100n, "USD"),
    terminal.reversal(purchase),
  ].map(encode);
  for (const bytes of whole) {
    for (let length = 1; length < bytes.length; length++) {
      await throwAtGateway([frame(bytes.subarray(0, length))]);
    }
  }
  expect(errors).toEqual([]);
  expect(await books()).toEqual(before);
});
