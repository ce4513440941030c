import { MessageChannel, type MessagePort } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import { Channel } from "./channel.ts";

const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

const theirs = {
  double: (value: number) => value * 2,
  later: async (values: number[]) => values.map((value) => value * 2),
  refuse: (): number => {
    throw new RangeError("not that");
  },
  refuseLater: async (): Promise<number> => {
    throw new RangeError("not that either");
  },
  lend: () => () => 1,
  refuseWithMore: (): number => {
    throw new Error("with more", { cause: () => 1 });
  },
  never: () => new Promise<number>(() => undefined),
  note: (value: number): void => {
    noted.push(value);
  },
};
let noted: number[] = [];

/** Our end of a channel whose other end has these functions. */
function connect(): Channel<typeof theirs> {
  noted = [];
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  new Channel(port2, theirs);
  return new Channel(port1, {});
}

test("a call has the other side's answer, each its own", async () => {
  const channel = connect();
  const answers = [1, 2, 3].map((value) => channel.call("double", value));
  expect(await Promise.all([...answers, channel.call("later", [4, 5])])).toEqual([
    2,
    4,
    6,
    [8, 10],
  ]);
});

test.each(["refuse", "refuseLater"] as const)("what %s throws is thrown here", async (name) => {
  await expect(connect().call(name)).rejects.toMatchObject({
    name: "RangeError",
    message: expect.stringContaining("not that"),
  });
});

test("what cannot be copied is an error too, and ends nothing", async () => {
  const channel = connect();
  await expect(channel.call("lend")).rejects.toThrow("could not be cloned");
  await expect(channel.call("refuseWithMore")).rejects.toThrow("with more");
  expect(await channel.call("double", 1)).toBe(2);
});

test("what is told is heard in its order, before what is asked afterwards", async () => {
  const channel = connect();
  for (const value of [1, 2, 3]) channel.tell("note", value);
  expect(noted).toEqual([]);
  await channel.call("double", 1);
  expect(noted).toEqual([1, 2, 3]);
});

test("when it is closed, whoever waits hears why, and whoever asks then, too", async () => {
  const channel = connect();
  const [waiting, reason] = [channel.call("never"), new Error("gone")];
  channel.close(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(channel.call("double", 1)).rejects.toBe(reason);
});
