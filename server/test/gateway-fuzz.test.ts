import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encode } from "../src/network/iso8583/encode.ts";
import { frame, MAX_MESSAGE_BYTES } from "../src/network/iso8583/framing.ts";
import { arbitraryMessage } from "../src/network/iso8583/golden/arbitrary.ts";
import { goldenMessages } from "../src/network/iso8583/golden/golden.ts";
import { mutate, mutation } from "../src/network/iso8583/golden/mutation.ts";
import {
  heard,
  type IssuedCard,
  type NetworkSandbox,
  startNetworkSandbox,
} from "./harness/network.ts";

const RUNS = 150;
const MESSAGES_A_RUN = 40;
/** On a busy machine they take longer than other tests. */
const TIMEOUT_MS = 180_000;

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

const isFramed = ({ length }: Buffer): boolean => length >= 1 && length <= MAX_MESSAGE_BYTES;

test(`${RUNS * MESSAGES_A_RUN} mutated messages neither crash nor wedge the gateway, nor move money`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const before = await books();
  const watching = await network.connect();
  const original = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...goldenMessages.map(({ bytes }) => bytes)) },
    { weight: 1, arbitrary: arbitraryMessage.map(encode) },
  );
  const mutated = fc
    .tuple(original, fc.array(mutation, { minLength: 0, maxLength: 3 }))
    .map(([bytes, changes]) => changes.reduce(mutate, bytes))
    .filter(isFramed)
    .map(frame);
  const messages = fc.array(mutated, {
    minLength: MESSAGES_A_RUN,
    maxLength: MESSAGES_A_RUN,
  });
  // Lengths that lie come last, since nothing after them is read.
  const last = fc.oneof(
    fc.constant(Buffer.alloc(0)),
    mutated.map((bytes) => bytes.subarray(1)),
  );
  await fc.assert(
    fc.asyncProperty(messages, last, async (sent, end) => {
      await throwAtGateway([...sent, end]);
      expect(heard(await watching.ask(network.terminal.management("301")))).toBe("00");
    }),
    { numRuns: RUNS },
  );
  expect(errors).toEqual([]);
  expect(await books()).toEqual(before);
  // It still does what it is for.
  expect(heard(await watching.ask(network.terminal.purchase(card, 100n)))).toBe("00");
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
