import { once } from "node:events";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { decode } from "../iso8583/decode.ts";
import { FrameSplitter, frame } from "../iso8583/framing.ts";
import { type ConnectionOptions, PeerConnection } from "./connection.ts";
import type { Outcome } from "./exchange.ts";
import type { Peer } from "./peers.ts";

/** The gateway's end of a connection whose other end reads only when told to. */
class Line extends Duplex {
  bytesWritten = 0;
  isRead = true;
  sent: Buffer[] = [];
  #stuck: (() => void) | undefined;

  setNoDelay(): void {}

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (this.isRead) this.#deliver(chunk, done);
    else this.#stuck = () => this.#deliver(chunk, done);
  }

  readAgain(): void {
    this.isRead = true;
    this.#stuck?.();
  }

  #deliver(chunk: Buffer, done: () => void): void {
    this.bytesWritten += chunk.length;
    this.sent.push(chunk);
    done();
  }
}

let line: Line;
let complaints: string[];
let waiting: ((outcome: Outcome) => void)[];
let connection: PeerConnection;

const peer: Peer = {
  name: "acme",
  isFrom: () => true,
  certificates: [],
  serves: () => true,
  requireSignOn: false,
  maxConnections: 1,
  maxInFlight: 4,
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  line = new Line({ allowHalfOpen: true });
  complaints = [];
  waiting = [];
  connection = connect({});
});
afterEach(() => vi.useRealTimers());

const connect = (change: Partial<ConnectionOptions>): PeerConnection =>
  new PeerConnection(line as unknown as Socket, {
    peer,
    echoMs: 0,
    take: () => new Promise((resolve) => waiting.push(resolve)),
    now: () => new Date("2026-01-31T12:00:00.000Z"),
    complain: (_peer, reason) => complaints.push(reason),
    ...change,
  });

const message = frame(Buffer.from("message"));
const arrive = (count: number): void => void line.push(Buffer.concat(Array(count).fill(message)));

test("no more messages are under way than the peer may have, and none is read meanwhile", async () => {
  arrive(10);
  await turn();
  expect(waiting).toHaveLength(4);
  expect(connection.inFlight).toBe(4);
  expect(line.isPaused()).toBe(true);
  while (waiting.length > 0) {
    waiting.shift()?.({});
    await turn();
    expect(connection.inFlight).toBeLessThanOrEqual(4);
  }
  expect(connection.inFlight).toBe(0);
  expect(line.isPaused()).toBe(false);
});

test("while answers lie unread nothing more is read", async () => {
  line.isRead = false;
  for (let sentBytes = 0; sentBytes < 80_000; sentBytes += 2_000) {
    arrive(1);
    await turn();
    waiting.shift()?.({ answer: Buffer.alloc(2_000) });
    await turn();
  }
  expect(line.isPaused()).toBe(true);
  // It stops soon after the bound, not when everything was taken.
  expect(line.writableLength).toBeLessThan(80_000);
  expect(waiting).toEqual([]);
  line.readAgain();
  await turn();
  expect(waiting.length).toBeGreaterThan(0);
});

test("who leaves answers unread for too long is given up; who reads slowly is not", async () => {
  line.isRead = false;
  arrive(1);
  await turn();
  waiting.shift()?.({ answer: Buffer.alloc(2_000) });
  await turn();
  const start = performance.now();
  for (let second = 0; second <= 29; second++) connection.tick(start + second * 1_000);
  // A byte has left meanwhile.
  line.bytesWritten += 1;
  for (let second = 30; second <= 60; second++) connection.tick(start + second * 1_000);
  expect(complaints).toEqual([]);
  connection.tick(start + 62_000);
  expect(complaints).toEqual(["does not read its answers"]);
  expect(line.destroyed).toBe(true);
});

test("who is silent is asked whether it is there, and given up if it is not", async () => {
  line = new Line({ allowHalfOpen: true });
  connection = connect({ echoMs: 1_000 });
  const start = performance.now();
  connection.tick(start + 1_001);
  connection.tick(start + 1_500);
  await turn();
  const { messages } = new FrameSplitter().push(Buffer.concat(line.sent));
  expect(messages.map(decode)).toEqual([
    { mti: "0800", fields: { 7: "0131120000", 11: "000001", 70: "301" } },
  ]);
  vi.advanceTimersByTime(1_600);
  arrive(1);
  await turn();
  connection.tick(start + 2_500);
  expect(line.destroyed).toBe(false);
  connection.tick(start + 2_700);
  connection.tick(start + 3_701);
  expect(complaints).toEqual(["does not answer an echo"]);
  expect(line.destroyed).toBe(true);
});

test("an end lets what was read be answered, then closes; who does not close is not waited for", async () => {
  arrive(6);
  await turn();
  connection.end();
  arrive(1);
  while (waiting.length > 0) {
    expect(line.writableEnded).toBe(false);
    waiting.shift()?.({ answer: Buffer.from("answer") });
    await turn();
  }
  expect(line.writableEnded).toBe(true);
  expect(Buffer.concat(line.sent).length).toBe(6 * frame(Buffer.from("answer")).length);
  expect(line.destroyed).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(line.destroyed).toBe(true);
});

test("an end waits for a peer that is slow to read, as long as for any that is", async () => {
  arrive(1);
  await turn();
  line.isRead = false;
  waiting[0]?.({ answer: Buffer.from("answer") });
  connection.end();
  await turn();
  vi.advanceTimersByTime(20_000);
  connection.tick(performance.now());
  expect(line.destroyed).toBe(false);
  line.readAgain();
  await once(line, "finish");
  expect(Buffer.concat(line.sent)).toEqual(frame(Buffer.from("answer")));
  vi.advanceTimersByTime(1_000);
  expect(line.destroyed).toBe(true);
});

test("after what cannot be read nothing is trusted, but what is under way is answered", async () => {
  arrive(2);
  await turn();
  waiting[1]?.("Unreadable");
  await turn();
  arrive(1);
  await turn();
  expect(waiting).toHaveLength(2);
  waiting[0]?.({ answer: Buffer.from("answer") });
  await once(line, "finish");
  expect(Buffer.concat(line.sent)).toEqual(frame(Buffer.from("answer")));
});

test("nothing is begun that was read together with what cannot be read, and came after it", async () => {
  line = new Line({ allowHalfOpen: true });
  let taken = 0;
  connect({
    take: () => {
      taken += 1;
      return "Unreadable";
    },
  });
  arrive(3);
  await once(line, "finish");
  expect(taken).toBe(1);
});

test("a failure to answer closes the connection and is told without what was in the message", async () => {
  line = new Line({ allowHalfOpen: true });
  connect({ take: () => Promise.reject(new Error("broken")) });
  arrive(1);
  await turn();
  expect(complaints).toEqual(["could not be answered: broken"]);
  expect(line.destroyed).toBe(true);
});
