import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, expect, test } from "vitest";
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

/** A gateway that hangs up after so many bytes. */
async function hangingUpAfter(bytes: number): Promise<AcquirerConnection> {
  gateway = createServer((socket) => {
    let heard = 0;
    socket
      .on("error", () => undefined)
      .on("data", (segment) => {
        heard += segment.length;
        if (heard >= bytes) socket.destroy();
      });
  });
  gateway.listen(0, "127.0.0.1");
  await once(gateway, "listening");
  const { port } = gateway.address() as AddressInfo;
  return AcquirerConnection.open({ host: "127.0.0.1", port });
}

test("a connection that is lost ends the run, and is told", async () => {
  const connection = await hangingUpAfter(1);
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
