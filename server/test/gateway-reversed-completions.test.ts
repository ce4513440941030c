import { describe, expect, test } from "vitest";
import type { AcquirerConnection } from "../src/network/acquirer/connection.ts";
import type { Terminal } from "../src/network/acquirer/terminal.ts";
import type { Message } from "../src/network/iso8583/fields.ts";
import { gatewayService } from "./harness/gateway-service.ts";
import { heard, type NetworkSandbox } from "./harness/network.ts";

let network: NetworkSandbox;
let acquirer: AcquirerConnection;
let terminal: Terminal;
gatewayService((open) => {
  ({ network, acquirer, terminal } = open);
});

const answerTo = async (message: Message): Promise<string | undefined> =>
  heard(await acquirer.ask(message));

/** What is told of in DE 90 as a 0220 has happened: the rest of its payment, which was not meant, stays as it is. */
describe.each(["0400", "0420"] as const)("%s about a 0220", (mti) => {
  test("does not give back the rest of a 0200 that was refunded in part", async () => {
    const card = await network.issue(100);
    const single = terminal.purchase(card, 2_000n, { mti: "0200" });
    const refund = terminal.refund(single, 500n, "USD");
    expect(await answerTo(single)).toBe("00");
    expect(await answerTo(refund)).toBe("00");
    expect(await answerTo(terminal.reversal(refund, { mti }))).toBe("12");
    expect(await network.balanceOf(card)).toEqual([85, 0]);
  });

  test("that comes before its refund does not take the place of that", async () => {
    const card = await network.issue(100);
    const single = terminal.purchase(card, 2_000n, { mti: "0200" });
    const refund = terminal.refund(single, 500n, "USD");
    expect(await answerTo(single)).toBe("00");
    expect(await answerTo(terminal.reversal(refund, { mti }))).toBe("12");
    expect(await answerTo(refund)).toBe("00");
    expect(await network.balanceOf(card)).toEqual([85, 0]);
  });

  test("that comes before its completion leaves what is held", async () => {
    const card = await network.issue(100);
    const purchase = terminal.purchase(card, 2_000n);
    const completion = terminal.completion(purchase, 2_000n, "USD");
    expect(await answerTo(purchase)).toBe("00");
    const reversal = terminal.reversal(completion, { mti });
    expect(await answerTo(reversal)).toBe("12");
    expect(await network.balanceOf(card)).toEqual([100, 20]);
    expect(await answerTo(completion)).toBe("00");
    expect(await answerTo(terminal.repeat(reversal))).toBe("12");
    expect(await network.balanceOf(card)).toEqual([80, 0]);
  });
});
