import { Florin, type TypedEvent, verifyWebhook, WebhookVerificationError } from "@florin/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Received, Receiver } from "../../server/test/harness/receiver.ts";
import { startTestService, type TestService } from "../../server/test/harness/service.ts";
import { adaIn } from "./harness/ada.ts";

let service: TestService;
let florin: Florin;
let receiver: Receiver;
beforeAll(async () => {
  service = await startTestService();
  florin = new Florin(service.sandbox);
  receiver = await Receiver.open();
});
afterAll(async () => {
  await receiver.goDown();
  await service.stop();
});

test("real webhooks are verified, with the old secret and the new", async () => {
  const { url } = receiver;
  const { webhookEndpointId, secret } = await florin.webhookEndpoints.create({ url });
  const event = async (message: Received | undefined, secrets: string | string[]) =>
    (await verifyWebhook(message?.text ?? "", message?.headers ?? {}, secrets)) as TypedEvent;

  const customerId = await adaIn(florin);
  const { cardId } = await florin.cards.issueRetail({ customerId, initialBalance: 10 });
  await florin.simulator.authorize({ cardId, amount: 3 });
  await florin.cards.topUp(cardId, { amount: 5 });
  const arrived = await receiver.until(4);
  const events = await Promise.all(arrived.map((message) => event(message, secret)));
  const told = events.flatMap((each): (string | number)[] => {
    // `data` is known by `eventType`: this would not compile otherwise.
    if (each.eventType === "kyc.approved") return [each.data.kycToken.slice(0, 4)];
    if (each.eventType === "card.issued") return [each.data.status];
    if (each.eventType === "transaction.authorized") return [each.data.heldAmount];
    if (each.eventType === "card.topped_up") return [each.data.cardBalance];
    return [];
  });
  expect(told).toHaveLength(4);
  expect(told).toEqual(expect.arrayContaining(["kyc_", "Active", 3, 15]));

  const rotated = await florin.webhookEndpoints.rotateSecret(webhookEndpointId);
  await florin.simulator.deposit({ currency: "USD", amount: 1 });
  const last = (await receiver.until(5)).at(-1);
  for (const either of [secret, rotated.secret, [secret, rotated.secret]])
    expect(await event(last, either)).toMatchObject({ eventType: "wallet.deposited" });
  await expect(event(last, service.sandbox.webhookSecret)).rejects.toThrow(
    WebhookVerificationError,
  );
});

test("what is left of a terminated card is in the event that pays it out", async () => {
  const customerId = await adaIn(florin);
  const issue = () => florin.cards.issueRetail({ customerId, initialBalance: 10 });
  const [idle, busy] = [await issue(), await issue()];
  const { transactionId } = await florin.simulator.authorize({ cardId: busy.cardId, amount: 3 });
  for (const { cardId } of [idle, busy]) await florin.cards.terminate(cardId);
  await florin.simulator.reverse(transactionId);
  const events = (await florin.events.list({ limit: 3 }).toArray(3)) as TypedEvent[];
  const told = events.map((each) => {
    // This would not compile either.
    if (each.eventType === "card.terminated") return [each.data.status, each.data.payout?.amount];
    if (each.eventType === "transaction.reversed") return [each.data.stage, each.data.payout?.type];
    return [];
  });
  expect(told).toEqual([
    ["Reversal", "TerminationPayout"],
    ["Terminated", undefined], // Something was still held.
    ["Terminated", 10],
  ]);
});
