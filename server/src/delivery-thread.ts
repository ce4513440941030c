import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { Registry } from "prom-client";
import { Channel } from "./foundation/channel.ts";
import { ServiceClock } from "./foundation/clock.ts";
import { createLog } from "./foundation/log.ts";
import { FaultBoard } from "./sandbox/faults/board.ts";
import { FaultyDeliveries } from "./sandbox/faults/deliveries.ts";
import { LocalDeliverer } from "./webhooks/delivery/local-deliverer.ts";
import type {
  OwnerFunctions,
  ThreadData,
  ThreadFunctions,
} from "./webhooks/delivery/thread-messages.ts";

/** The thread that sends deliveries: the service starts it, tells it what there is, and stops it. */
function main(port: MessagePort, data: ThreadData): void {
  const { databaseUrl, reach, maxInHand, logLevel, clockOffsetMs, isSandbox } = data;
  const clock = new ServiceClock();
  clock.follow(clockOffsetMs);
  const registry = new Registry();
  const faults = new FaultBoard();
  const functions: ThreadFunctions = {
    notice: (candidates) => deliverer.notice(candidates),
    look: () => deliverer.look(),
    followClock: (offsetMs) => deliverer.followClock(offsetMs),
    stop: () => deliverer.stop(),
    metrics: () => registry.metrics(),
    isThere: () => true,
    setFault: (organizationId, fault) => faults.set(organizationId, fault),
    clearFaults: (organizationId) => faults.clear(organizationId),
    listFaults: (organizationId) => faults.list(organizationId),
  };
  const owner = new Channel<OwnerFunctions>(port, functions);
  const deliverer = new LocalDeliverer({
    databaseUrl,
    unseal: async (sealed, place) => Buffer.from(await owner.call("unseal", sealed, place)),
    clock,
    log: createLog({
      level: logLevel,
      destination: { write: (line) => owner.tell("log", line) },
    }),
    registry,
    reach,
    maxInHand,
    ...(isSandbox ? { faults: new FaultyDeliveries(faults).meet } : {}),
  });
  deliverer.start();
}

if (parentPort !== null) main(parentPort, workerData as ThreadData);
