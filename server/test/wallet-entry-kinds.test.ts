import { afterAll, beforeAll, expect, test } from "vitest";
import { audit } from "../src/ledger/audit/audit.ts";
import { entryKinds } from "../src/wallets/entries/kinds.ts";
import { runCommand } from "./harness/command.ts";
import { approve } from "./harness/decider.ts";
import { bvn, verifyIndividual } from "./harness/kyc.ts";
import { type ManagedSandbox, startManagedSandbox } from "./harness/managed.ts";

let it: ManagedSandbox;
beforeAll(async () => {
  it = await startManagedSandbox();
});
afterAll(() => it.stop());

const PARIS = { mid: "SHOP1", mcc: "5411", name: "Shop", city: "Paris", country: "FR" };

async function post(path: string, body?: object): Promise<{ cardId: string }> {
  const answer = await it.client.call("POST", path, body === undefined ? {} : { body });
  expect(answer.body).toMatchObject({ responseCode: "000" });
  return answer.body.data;
}

test("whatever can move a wallet's money does so under a kind that is told", async () => {
  const adjust = (action: string) => {
    const what = [it.organizationId, "USD", "10", "--reference", action];
    return runCommand(["wallet", action, ...what], it.service.environment);
  };
  await adjust("credit");
  await adjust("debit");
  const { customerId } = (await verifyIndividual(it.client, bvn())).body.data;
  const { cardId } = await post("/cards/retail", { customerId, initialBalance: 20 });
  const other = await post("/cards/retail", { customerId });
  await post(`/cards/${cardId}/top-up`, { amount: 5 });
  await post(`/cards/${cardId}/withdraw`, { amount: 2 });
  await post("/cards/transfers", {
    sourceCardId: cardId,
    beneficiaryCardId: other.cardId,
    amount: 3,
  });
  await it.letDecide("AutoDecline");
  it.decider.answer = approve;
  const { transactionId } = await it.buy(cardId, 10, { merchant: PARIS });
  await it.follow(transactionId, "settle");
  await it.follow(transactionId, "refund");
  await post(`/cards/${cardId}/terminate`, {});
  const owing = await it.openCard({ status: "Terminated", balanceMinor: -1_00n });
  await post(`/cards/${owing.cardId}/regularize`);

  const { walletId } = await it.wallet();
  const { body } = await it.client.get(`/wallets/${walletId}/entries?limit=100`);
  const ways = body.data.map(
    ({ kind, direction }: Record<"kind" | "direction", string>) => `${kind} ${direction}`,
  );
  expect(ways.toReversed()).toEqual([
    "Deposit Credit",
    "Adjustment Credit",
    "Adjustment Debit",
    "InitialFunding Debit",
    "TopUp Debit",
    "Withdrawal Credit",
    "Settlement Debit",
    "CrossBorderCharge Debit",
    "Refund Credit",
    "TerminationPayout Credit",
    "Regularization Debit",
  ]);
  const kinds = new Set(ways.map((way: string) => way.split(" ")[0]));
  expect([...kinds].sort()).toEqual([...entryKinds].sort());
  expect((await audit(it.pool)).problems).toEqual([]);
});
