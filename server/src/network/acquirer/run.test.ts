import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { decode } from "../iso8583/decode.ts";
import { encode } from "../iso8583/encode.ts";
import { FrameSplitter, frame } from "../iso8583/framing.ts";
import { answerMtiOf } from "../iso8583/message-types.ts";
import { AcquirerConnection } from "./connection.ts";
import { runTraffic } from "./run.ts";
import { Terminal } from "./terminal.ts";
import { Traffic } from "./traffic.ts";

const IN_FLIGHT = 4;
const card = { pan: "4111111111111111", currency: "USD" } as const;

let gateway: Server;
afterEach(() => {
  gateway.close();
});

/** A gateway that does this with all that it hears. */
async function gatewayThat(
  hears: (segment: Buffer, socket: Socket) => void,
): Promise<AcquirerConnection> {
  gateway = createServer((socket) => {
    socket.on("error", () => undefined).on("data", (segment: Buffer) => hears(segment, socket));
  });
  gateway.listen(0, "127.0.0.1");
  await once(gateway, "listening");
  const { port } = gateway.address() as AddressInfo;
  return AcquirerConnection.open({ host: "127.0.0.1", port });
}

test("a connection that is lost ends the run, and is told", async () => {
  const connection = await gatewayThat((_segment, socket) => socket.destroy());
  const terminal = new Terminal();
  const report = await runTraffic({
    connection,
    source: new Traffic({ terminal, cards: [card] }),
    inFlight: IN_FLIGHT,
    // Without end, but for the connection's; a number that soon comes, where nobody minds that.
    count: 100_000,
  });
  expect(report.unanswered).toBe(IN_FLIGHT);
  expect([...report.faults.keys()]).toEqual(["the connection was lost"]);
});

/** A gateway that approves all that it hears, and counts it. */
async function gatewayThatApproves(): Promise<{
  connection: AcquirerConnection;
  heard: () => number;
}> {
  const splitter = new FrameSplitter();
  let heard = 0;
  const connection = await gatewayThat((segment, socket) => {
    for (const bytes of splitter.push(segment).messages) {
      heard += 1;
      const { mti, fields } = decode(bytes);
      const answer = { mti: answerMtiOf(mti) ?? mti, fields: { 11: fields[11] ?? "", 39: "00" } };
      socket.write(frame(encode(answer)));
    }
  });
  return { connection, heard: () => heard };
}

test("nothing is sent after its time, however many messages wait for their turn", async () => {
  const { connection, heard } = await gatewayThatApproves();
  const report = await runTraffic({
    connection,
    source: new Traffic({ terminal: new Terminal(), cards: [card] }),
    inFlight: 64,
    ratePerS: 1,
    forMs: 500,
  });
  connection.cut();
  expect(report.unanswered).toBe(0);
  expect(report.tally.count).toBe(heard());
  // At one a second, half a second has time for the first; on a busy machine not even for that.
  expect(heard()).toBeLessThanOrEqual(1);
});

test("what is due when the time is over is not sent just before", async () => {
  const { connection } = await gatewayThatApproves();
  // More than once: how early a timer fires depends on the moment at which it was set.
  for (let run = 0; run < 10; run += 1) {
    const { tally } = await runTraffic({
      connection,
      source: new Traffic({ terminal: new Terminal(), cards: [card] }),
      inFlight: IN_FLIGHT,
      ratePerS: 100,
      forMs: 100,
    });
    expect(tally.count).toBeLessThanOrEqual(10);
  }
  connection.cut();
});
