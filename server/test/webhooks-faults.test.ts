import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Core, openCore } from "../src/core.ts";
import { transaction } from "../src/db/transaction.ts";
import { tellEvents } from "../src/engine/events.ts";
import { readConfig } from "../src/foundation/config/config.ts";
import { createLog } from "../src/foundation/log.ts";
import { createOrganization } from "../src/identity/organizations.ts";
import { failed } from "../src/outbound/outcome.ts";
import type { DeliveryFaults } from "../src/webhooks/delivery/faults.ts";
import { LocalDeliverer } from "../src/webhooks/delivery/local-deliverer.ts";
import { WebhookWorker } from "../src/webhooks/delivery/worker.ts";
import { createEndpoint } from "../src/webhooks/endpoints/service.ts";
import { newClaim } from "./harness/claims.ts";
import { until } from "./harness/eventually.ts";
import { Receiver } from "./harness/receiver.ts";
import { scratchDatabase } from "./harness/scratch.ts";

let database: Awaited<ReturnType<typeof scratchDatabase>>;
let core: Core;
let organizationId: string;
beforeAll(async () => {
  database = await scratchDatabase();
  core = await openCore(readConfig({ FLORIN_DATABASE_URL: database.url }), () => undefined);
  const options = { name: "Any", customerManaged: false, defaultScopes: ["CardAPIs"] as const };
  ({ organizationId } = await createOrganization(core, options));
});
afterAll(async () => {
  await core.close();
  await database.drop();
});

/** Lets one event pass through a worker whose every attempt meets a fault. */
async function deliverThrough(
  faults: DeliveryFaults,
): Promise<{ arrived: number; errors: unknown }> {
  const receiver = await Receiver.open();
  const common = {
    ...core,
    log: createLog({ level: "silent" }),
    registry: new Registry(),
    reach: "PrivateToo",
  } as const;
  const deliverer = new LocalDeliverer({
    ...common,
    unseal: (sealed, place) => core.vault.unseal(sealed, place),
    maxInHand: 16,
    faults,
  });
  const webhooks = new WebhookWorker({ ...common, deliverer });
  webhooks.start();
  const caller = {
    organizationId,
    clientId: "cli_1",
    maySeeSecrets: false,
    claim: newClaim(),
    receivedMs: performance.now(),
    handling: true,
  };
  const { endpoint } = await createEndpoint({ ...core, webhooks }, caller, {
    url: receiver.url,
    eventTypes: [],
  });
  const event = { organizationId, eventType: "wallet.deposited", data: {} };
  await transaction(core.pool, (tx) => tellEvents(tx, [event], core.clock.now()));
  webhooks.relay.nudge();
  const attempts = async () => {
    const { rows } = await core.pool.query(
      "select error from webhook_attempts where webhook_endpoint_id = $1",
      [endpoint.webhookEndpointId],
    );
    return rows.map(({ error }) => error);
  };
  await until("the attempt is recorded", async () => (await attempts()).length === 1);
  await webhooks.stop();
  await receiver.goDown();
  await core.pool.query("delete from webhook_endpoints");
  return { arrived: receiver.received.length, errors: await attempts() };
}

test("without a fault an event arrives", async () => {
  const outcome = await deliverThrough((_delivery, attempt) => attempt());
  expect(outcome).toEqual({ arrived: 1, errors: [null] });
});

test("a simulator can send it twice", async () => {
  const outcome = await deliverThrough(async (_delivery, attempt) => {
    await attempt();
    return attempt();
  });
  expect(outcome).toEqual({ arrived: 2, errors: [null] });
});

test("a simulator can drop it, which counts as a failed attempt", async () => {
  const outcome = await deliverThrough(async ({ eventType }) =>
    failed("ConnectionFailed", 0, `The simulator dropped ${eventType}`),
  );
  expect(outcome).toEqual({ arrived: 0, errors: ["The simulator dropped wallet.deposited"] });
});
