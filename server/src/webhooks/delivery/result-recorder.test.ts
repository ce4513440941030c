import { afterAll, beforeAll, expect, test } from "vitest";
import { DatabaseProxy } from "../../../test/harness/proxy.ts";
import { scratchDatabase } from "../../../test/harness/scratch.ts";
import { Lane } from "../../db/lane.ts";
import { createPool } from "../../db/pool.ts";
import { ServiceClock } from "../../foundation/clock.ts";
import { createLog } from "../../foundation/log.ts";
import type { AttemptResult } from "./attempt-result.ts";
import { ResultRecorder } from "./result-recorder.ts";

let database: Awaited<ReturnType<typeof scratchDatabase>>;
let line: DatabaseProxy;
let lane: Lane;
beforeAll(async () => {
  database = await scratchDatabase();
  line = await DatabaseProxy.before(database.url);
  lane = new Lane({ connectionString: line.url, name: "results", durable: true });
});
afterAll(async () => {
  await lane.close();
  await line.close();
  await database.drop();
});

const result = (n: number): AttemptResult => ({
  organizationId: "org_1",
  webhookEndpointId: "whe_1",
  eventId: `evt_${n}`,
  attempts: 0,
  at: new Date(),
  httpStatus: 200,
  error: null,
  durationMs: 1,
  isAcknowledged: true,
  nextAt: null,
});

test("an outage that many results meet is told of once, and then that it is over", async () => {
  const lines: string[] = [];
  const log = createLog({
    level: "info",
    destination: { write: (text) => void lines.push(JSON.parse(text).msg) },
  });
  const recorder = new ResultRecorder({ lane, clock: new ServiceClock(), log, maxInHand: 512 });
  const recordAll = () =>
    Promise.all(Array.from({ length: 100 }, (_, n) => recorder.record(result(n))));
  line.goDown();
  await recordAll();
  expect(lines).toEqual(["the results of deliveries could not be recorded; they are sent again"]);
  line.comeUp();
  await recordAll();
  expect(lines).toEqual([
    "the results of deliveries could not be recorded; they are sent again",
    "background work succeeds again",
  ]);
});

test("what still waits when it gives up is not recorded, and nobody waits for it", async () => {
  const log = createLog({ level: "silent" });
  const recorder = new ResultRecorder({ lane, clock: new ServiceClock(), log, maxInHand: 32 });
  const heldUp = line.atNext("webhooks_attempts", "held up");
  const underWay = Array.from({ length: 4 }, (_, n) => recorder.record(result(1_000 + n)));
  await heldUp;
  const waiting = Array.from({ length: 40 }, (_, n) => recorder.record(result(2_000 + n)));
  recorder.giveUp();
  await Promise.all([...waiting, recorder.record(result(3_000))]);
  const drained = recorder.drain();
  line.goDown();
  await Promise.all([...underWay, drained]);
  line.comeUp();
  await recorder.record(result(3_001));
  const pool = createPool(database.url, 1);
  const { rows } = await pool.query(
    "select event_id from webhook_attempts where length(event_id) = 8",
  );
  await pool.end();
  expect(rows).toEqual([]);
});
