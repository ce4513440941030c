import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Terminal } from "../src/network/acquirer/terminal.ts";
import { encode } from "../src/network/iso8583/encode.ts";
import type { Fields, Message } from "../src/network/iso8583/fields.ts";
import { frame, MAX_MESSAGE_BYTES } from "../src/network/iso8583/framing.ts";
import { eventually, until } from "./harness/eventually.ts";
import {
  heard,
  type IssuedCard,
  type NetworkSandbox,
  startNetworkSandbox,
} from "./harness/network.ts";

let network: NetworkSandbox;
let terminal: Terminal;
let card: IssuedCard;
const log: string[] = [];
beforeAll(async () => {
  const destination = { write: (line: string) => void log.push(line) };
  network = await startNetworkSandbox({ FLORIN_LOG_LEVEL: "debug" }, { log: destination });
  ({ terminal } = network);
  card = await network.issue(10_000);
});
afterAll(async () => {
  expect(await network.problems()).toEqual([]);
  await network.stop();
});

/** Nobody else notices what one connection does. */
async function expectOthersServed(): Promise<void> {
  const other = await network.connect();
  expect(heard(await other.ask(terminal.purchase(card, 1n)))).toBe("00");
  await other.close();
}

const countPayments = async (): Promise<number> => {
  const { rows } = await network.pool.query("select count(*)::int as n from transactions");
  return rows[0].n;
};

describe("a stream of messages", () => {
  test("byte by byte is understood", async () => {
    const acquirer = await network.connect();
    const request = terminal.purchase(card, 100n);
    const bytes = frame(encode(request));
    for (const byte of bytes) {
      acquirer.sendBytes(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    const [answer] = await eventually("an answer", () =>
      acquirer.strays.length > 0 ? acquirer.strays : undefined,
    );
    expect(answer?.fields).toMatchObject({ 11: request.fields[11], 39: "00" });
  });

  test("many in one segment are all answered, whichever is done first", async () => {
    const acquirer = await network.connect();
    const purchases = Array.from({ length: 200 }, () => terminal.purchase(card, 1n));
    const echo = acquirer.ask(terminal.management("301"));
    const answers = purchases.map((purchase) => acquirer.ask(purchase));
    const last = acquirer.ask(terminal.management("301"));
    // The echo that was sent last does not wait for purchases before it.
    const first = await Promise.race([last, Promise.all(answers)]);
    expect(first).toMatchObject({ mti: "0810" });
    expect(heard(await echo)).toBe("00");
    expect((await Promise.all(answers)).map(heard)).toEqual(purchases.map(() => "00"));
  });

  test("that its sender ends is still answered", async () => {
    const acquirer = await network.connect();
    const answers = Array.from({ length: 20 }, () => acquirer.ask(terminal.purchase(card, 1n)));
    acquirer.end();
    expect((await Promise.all(answers)).map(heard)).toEqual(answers.map(() => "00"));
    await acquirer.closed;
  });
});

describe("what is malformed", () => {
  test.each<[string, Fields]>([
    ["a month that is none in DE 14", { 14: "2813" }],
    ["a DE 48 that ends within a subfield", { 48: "92031" }],
    ["a CVV2 of 4 digits", { 48: "92041234" }],
    ["a blank DE 42", { 42: " ".repeat(15) }],
    ["a country in small letters", { 43: `${"X".padEnd(38)}us` }],
    ["a day that is none in DE 7", { 7: "0230120000" }],
  ])("%s is answered 30 and leaves no trace", async (_what, fields) => {
    const acquirer = await network.connect();
    const before = await countPayments();
    const request = terminal.purchase(card, 100n, { fields });
    const answer = await acquirer.ask(request);
    expect(answer).toEqual({
      mti: "0110",
      fields: {
        ...pick(request, 7, 11, 12, 13, 32, 37, 41, 42),
        39: "30",
      },
    });
    expect(await countPayments()).toBe(before);
  });

  test.each([2, 3, 4, 7, 32, 37, 49] as const)(
    "a purchase without DE %i is answered 30",
    async (number) => {
      const acquirer = await network.connect();
      const { [number]: _left, ...fields } = terminal.purchase(card, 100n).fields;
      expect(heard(await acquirer.ask({ mti: "0100", fields }))).toBe("30");
    },
  );

  test.each([
    ["4 digits", "4111"],
    ["12 digits", "411111111111"],
    ["20 digits", "41111111111111111111"],
    ["letters", "41111111ABCDEFGH"],
  ])("a card number of %s is answered 30, and the connection stays", async (_what, pan) => {
    const acquirer = await network.connect();
    const request = terminal.purchase(card, 100n);
    const { 2: _pan, ...fields } = request.fields;
    const bytes = encode({ mti: "0100", fields });
    bytes.writeUInt8(bytes.readUInt8(4) | 0x40, 4);
    const shown = Buffer.from(`${String(pan.length).padStart(2, "0")}${pan}`);
    const bitmapEnd = 12;
    acquirer.sendBytes(
      frame(Buffer.concat([bytes.subarray(0, bitmapEnd), shown, bytes.subarray(bitmapEnd)])),
    );
    expect(heard(await acquirer.ask(terminal.management("301")))).toBe("00");
    const fieldsBack = { ...pick(request, 7, 11, 12, 13, 32, 37, 41, 42), 39: "30" };
    expect(acquirer.strays).toEqual([{ mti: "0110", fields: fieldsBack }]);
  });

  test("a type that is not spoken is answered 30 where it can be answered, and nothing else ends", async () => {
    const acquirer = await network.connect();
    const bytes = encode(terminal.management("301"));
    bytes.write("0300", 0, "latin1");
    acquirer.sendBytes(frame(bytes));
    expect(heard(await acquirer.ask(terminal.management("301")))).toBe("00");
    // The answer is of a type that this side does not speak either.
    const [answer] = acquirer.unreadable;
    expect(answer?.toString("latin1")).toMatch(/^0310.+30$/s);
    expect(log.join("")).toContain("is not spoken here");
  });

  test.each<[string, Buffer]>([
    ["a length of 0", Buffer.from([0, 0])],
    ["a length of 65,535", Buffer.from([0xff, 0xff])],
    ["a length above the longest", lengthOf(MAX_MESSAGE_BYTES + 1)],
    ["a message without DE 11", frame(Buffer.from("0100\0\0\0\0\0\0\0\0", "latin1"))],
    ["an echo without DE 11", frame(encode({ mti: "0800", fields: { 70: "301" } }))],
    ["an answer without DE 11", frame(encode({ mti: "0810", fields: { 39: "00", 70: "301" } }))],
    ["a message cut short", frame(Buffer.from("0100\xff", "latin1"))],
    ["another edition's type", frame(Buffer.from("1100\0\0\0\0\0\0\0\0", "latin1"))],
    ["a type that nobody could answer", frame(unspoken("0999"))],
    ["no message at all", frame(Buffer.from("GET / HTTP/1.1\r\n\r\n"))],
  ])("%s closes the connection, after what came before is answered", async (_what, bytes) => {
    const acquirer = await network.connect();
    const paid = await countPayments();
    const before = acquirer.ask(terminal.purchase(card, 1n));
    const behind = frame(encode(terminal.purchase(card, 1n)));
    acquirer.sendBytes(Buffer.concat([bytes, behind]));
    expect(heard(await before)).toBe("00");
    await acquirer.closed;
    await expectOthersServed();
    // What was asked before, and by others.
    expect(await countPayments()).toBe(paid + 2);
  });

  test("half a length and then nothing is a connection that says nothing", async () => {
    const acquirer = await network.connect();
    acquirer.sendBytes(Buffer.from([0]));
    await expectOthersServed();
    acquirer.end();
    await acquirer.closed;
    await until("it is logged", () => log.some((line) => line.includes("ended within a message")));
  });

  test("an answer that nobody asked for is passed over", async () => {
    const acquirer = await network.connect();
    const { fields } = terminal.purchase(card, 100n);
    for (const mti of ["0110", "0210", "0430", "0810"] as const) acquirer.send({ mti, fields });
    expect(heard(await acquirer.ask(terminal.management("301")))).toBe("00");
  });

  test("nor does one that is malformed end anything, as long as its DE 11 can be read", async () => {
    const acquirer = await network.connect();
    const bytes = encode({ mti: "0810", fields: { 11: "000001", 39: "00", 70: "301" } });
    bytes.write("X", bytes.length - 1, "latin1");
    acquirer.sendBytes(frame(bytes));
    // What comes in one segment is under way before any of it is read.
    for (let n = 0; n < 2; n++) {
      expect(heard(await acquirer.ask(terminal.management("301")))).toBe("00");
    }
    expect(acquirer.strays).toEqual([]);
  });
});

describe("a peer", () => {
  test("that does not read its answers holds up nobody, and has them all when it does", async () => {
    const acquirer = await network.connect();
    acquirer.pause();
    const answers = Array.from({ length: 5_000 }, () => acquirer.ask(terminal.management("301")));
    await expectOthersServed();
    acquirer.resume();
    expect(new Set((await Promise.all(answers)).map(heard))).toEqual(new Set(["00"]));
  });

  test("that floods has no more under way than it may, and holds up nobody", async () => {
    const acquirer = await network.connect();
    const answers = Array.from({ length: 2_000 }, () => acquirer.ask(terminal.purchase(card, 1n)));
    await expectOthersServed();
    const { body } = await metrics();
    const underWay = /florin_network_in_flight\{peer="loopback"\} (\d+)/.exec(body)?.[1];
    expect(Number(underWay)).toBeLessThanOrEqual(256);
    expect(new Set((await Promise.all(answers)).map(heard))).toEqual(new Set(["00"]));
  });

  test("that goes between a request and its answer finds the effect, and the same answer", async () => {
    const acquirer = await network.connect();
    const own = await network.issue(100);
    const purchase = terminal.purchase(own, 2_000n);
    acquirer.send(purchase);
    await until("it is held", async () => {
      const { heldAmount } = await network.get(`/cards/${own.cardId}`);
      acquirer.cut();
      return heldAmount === 20;
    });
    const later = await network.connect();
    const [first, second] = [terminal.repeat(purchase), purchase];
    const answer = await later.ask(first);
    const [transaction] = await network.transactionsOf(own.cardId);
    expect(answer.fields).toMatchObject({ 38: transaction.approvalCode, 39: "00" });
    expect(await later.ask(second)).toEqual(answer);
    expect(await network.get(`/cards/${own.cardId}`)).toMatchObject({ heldAmount: 20 });
  });
});

const metrics = async (): Promise<{ body: string }> => ({
  body: await (await fetch(`${network.service.sandbox.apiUrl}/metrics`)).text(),
});

test("metrics tell messages by peer, type and answer", async () => {
  const { body } = await metrics();
  expect(body).toMatch(
    /florin_network_message_duration_seconds_count\{peer="loopback",mti="0100",response="00"\} \d+/,
  );
  expect(body).toMatch(/_count\{peer="loopback",mti="other",response=""\} \d+/);
  expect(body).toMatch(/florin_network_connections\{peer="loopback"\} \d+/);
});

test("the log has no card number, no expiry and no CVV2 in it", () => {
  const all = log.join("");
  expect(all).toContain('"de39":"00"');
  expect(all).toContain(`${card.pan.slice(0, 6)}******${card.pan.slice(-4)}`);
  expect(all).not.toContain(card.pan);
  expect(all).not.toContain(`9203${card.cvv}`);
});

function pick({ fields }: Message, ...numbers: (keyof Fields)[]): Fields {
  return Object.fromEntries(
    numbers.flatMap((number) => (fields[number] === undefined ? [] : [[number, fields[number]]])),
  );
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(length);
  return bytes;
}

function unspoken(mti: string): Buffer {
  const bytes = encode({ mti: "0800", fields: { 7: "0131120000", 11: "000001", 70: "301" } });
  bytes.write(mti, 0, "latin1");
  return bytes;
}
