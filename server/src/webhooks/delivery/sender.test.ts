import { expect, test } from "vitest";
import type { GuardedAgent, PostOptions } from "../../outbound/agent.ts";
import { failed } from "../../outbound/outcome.ts";
import { Signer } from "../../outbound/signer.ts";
import { send } from "./sender.ts";

test("an endpoint has 10 seconds for its whole answer, and connections of its own", async () => {
  const posted: PostOptions[] = [];
  const agent = {
    post: async (_url: string, options: PostOptions) => {
      posted.push(options);
      return failed("Timeout", options.timeoutMs);
    },
  };
  const target = {
    webhookEndpointId: "whe_1",
    url: "https://hooks.example.com/",
    signers: [new Signer("whsec_AAAA")],
  };
  const message = {
    eventId: "evt_1",
    eventType: "wallet.deposited",
    createdAt: new Date(0),
    sequence: null,
    clientReference: null,
    dataJson: "{}",
  };
  await send(agent as unknown as GuardedAgent, target, message);
  expect(posted).toMatchObject([{ timeoutMs: 10_000, pool: "whe_1" }]);
});
