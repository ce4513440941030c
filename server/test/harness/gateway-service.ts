import { afterAll, beforeAll, expect } from "vitest";
import type { AcquirerConnection } from "../../src/network/acquirer/connection.ts";
import type { Terminal } from "../../src/network/acquirer/terminal.ts";
import { type NetworkSandbox, startNetworkSandbox } from "./network.ts";

export interface OpenGateway {
  network: NetworkSandbox;
  acquirer: AcquirerConnection;
  terminal: Terminal;
}

/** A gateway for the tests of a file, with an acquirer that is connected, and with books that hold at the end. */
export function gatewayService(whenOpen: (open: OpenGateway) => void): void {
  let network: NetworkSandbox;
  beforeAll(async () => {
    network = await startNetworkSandbox();
    whenOpen({ network, acquirer: await network.connect(), terminal: network.terminal });
  });
  afterAll(async () => {
    expect(await network.problems()).toEqual([]);
    await network.stop();
  });
}
