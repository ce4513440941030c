import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../../test/harness/eventually.ts";
import { ENDPOINT, WebhookBooks } from "../../../test/harness/webhook-books.ts";
import { Lane } from "../../db/lane.ts";
import { ServiceClock } from "../../foundation/clock.ts";
import { createLog } from "../../foundation/log.ts";
import { GuardedAgent } from "../../outbound/agent.ts";
import { type FailureReason, failed } from "../../outbound/outcome.ts";
import { AttemptMetrics } from "./attempt-metrics.ts";
import { Dispatcher } from "./dispatcher.ts";
import { ResultRecorder } from "./result-recorder.ts";
import { WorkerSeat } from "./seat.ts";
import type { Targets } from "./targets.ts";

let books: WebhookBooks;
let lane: Lane;
let seat: WorkerSeat;
const agent = new GuardedAgent({ reach: "PrivateToo", connectionsPerPool: 1 });
beforeAll(async () => {
  books = await WebhookBooks.open();
  lane = new Lane({ connectionString: books.url, name: "test", durable: false });
  seat = new WorkerSeat(books.url);
  await books.openEndpoint();
  await books.emit(1);
});
afterAll(async () => {
  await agent.stop();
  await seat.leave();
  await lane.close();
  await books.close();
});

const target = { webhookEndpointId: ENDPOINT, url: "", signers: [] };
const targets = { open: async () => target } as Pick<Targets, "open"> as Targets;

/** Lets the next attempt of the one delivery end so, and gives what is then known of it. */
async function attempt(reason: FailureReason): Promise<object> {
  const [clock, log] = [new ServiceClock(), createLog({ level: "silent" })];
  let attempts = 0;
  const dispatcher = new Dispatcher({
    lane,
    seat,
    agent,
    targets,
    recorder: new ResultRecorder({ lane, clock, log, maxInHand: 10 }),
    clock,
    faults: async () => {
      attempts += 1;
      return failed(reason, 1);
    },
    metrics: new AttemptMetrics(new Registry(), () => 0),
    log,
    maxInHand: 10,
  });
  await books.pool.query("update webhook_deliveries set due_at = now()");
  dispatcher.start();
  await until("it is attempted", () => attempts > 0);
  await dispatcher.stop();
  const { rows } = await books.pool.query(
    `select d.attempts, d.due_at > now() as "isPutOff", lease_until is null as "isFree",
            failing_since is not null as "isFailing",
            (select count(*)::int from webhook_attempts) as recorded
       from webhook_deliveries d join webhook_endpoints using (organization_id, webhook_endpoint_id)`,
  );
  return rows[0];
}

test("our lack of descriptors is no attempt of the receiver's, but made up for soon", async () => {
  const putOff = { isPutOff: true, isFree: true };
  expect(await attempt("NoDescriptor")).toEqual({
    ...putOff,
    attempts: 0,
    isFailing: false,
    recorded: 0,
  });
  expect(await attempt("ConnectionFailed")).toEqual({
    ...putOff,
    attempts: 1,
    isFailing: true,
    recorded: 1,
  });
});
