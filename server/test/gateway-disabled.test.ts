import { afterAll, beforeAll, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { changeOrganization } from "../src/identity/organizations.ts";
import type { AcquirerConnection } from "../src/network/acquirer/connection.ts";
import type { Message } from "../src/network/iso8583/fields.ts";
import { becomes } from "./harness/answers.ts";
import { heard, type NetworkSandbox, startNetworkSandbox } from "./harness/network.ts";
import { openOperator } from "./harness/operator.ts";

let network: NetworkSandbox;
let operator: Core;
let acquirer: AcquirerConnection;
beforeAll(async () => {
  network = await startNetworkSandbox();
  operator = await openOperator(network.service);
  acquirer = await network.connect();
});
afterAll(async () => {
  expect(await network.problems()).toEqual([]);
  await operator.close();
  await network.stop();
});

const ask = async (message: Message): Promise<string> => heard(await acquirer.ask(message));

const setStatus = (status: "Enabled" | "Disabled") =>
  changeOrganization(operator, network.organizationId, { status });

test("cards of a disabled organization buy nothing; what was decided before goes on", async () => {
  const { terminal } = network;
  const card = await network.issue(100);
  const before = terminal.purchase(card, 2_000n);
  const reversed = terminal.purchase(card, 1_000n);
  expect([await ask(before), await ask(reversed)]).toEqual(["00", "00"]);
  const frozen = await network.issue(100);
  await network.client.post(`/cards/${frozen.cardId}/freeze`, {});

  await setStatus("Disabled");
  await becomes(() => ask(terminal.purchase(card, 100n)), "57");
  const declined = terminal.purchase(card, 100n, { mti: "0200" });
  expect(await ask(declined)).toBe("57");
  expect(await ask(terminal.purchase(frozen, 100n)), "what its card fails comes first").toBe("62");
  expect(await ask(terminal.repeat(before)), "answered as it was").toBe("00");
  expect(await ask(terminal.purchase(card, 300n, { mti: "0120" })), "an advice").toBe("00");
  expect(await ask(terminal.completion(before, 2_000n, "USD"))).toBe("00");
  expect(await ask(terminal.reversal(reversed))).toBe("00");

  await setStatus("Enabled");
  await becomes(() => ask(terminal.purchase(card, 100n)), "00");
  expect(await ask(terminal.repeat(declined)), "answered as it was").toBe("57");
  const transactions = await network.transactionsOf(card.cardId);
  expect(transactions).toContainEqual(
    expect.objectContaining({ stage: "Declined", responseCode: "115", heldAmount: 0 }),
  );
  expect(transactions, "the advice holds").toContainEqual(
    expect.objectContaining({ stage: "Authorization", amount: 3, heldAmount: 3 }),
  );
  const { balance } = await network.get(`/cards/${card.cardId}`);
  expect(balance).toBe(80);
});
